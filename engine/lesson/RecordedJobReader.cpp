#include "engine/lesson/RecordedJobReader.h"

#include "engine/event/VerdictTraits.h"
#include "engine/lesson/Calls.h"
#include "engine/lesson/Codes.h"

#include <algorithm>
#include <array>
#include <climits>

namespace ringmaster::lesson {

namespace {

using HappeningKind = RecordedJob::Happening::Kind;

constexpr std::array HappeningKinds{HappeningKind::Calls, HappeningKind::Returns,
                                    HappeningKind::Waits, HappeningKind::Exits};
constexpr std::array VerdictKinds{Verdict::Kind::Waiting, Verdict::Kind::SlowWire,
                                  Verdict::Kind::Straggler, Verdict::Kind::Hang,
                                  Verdict::Kind::Mismatch};
constexpr size_t MostEvidence = 64;
/// A process' exit code, and a signal's number.
constexpr int MostExit = 255;

/// Each table of an array of at most `most`.
void readEach(TomlReader& toml, const toml::node& node, const TomlSpot& spot, size_t most,
              const std::function<void(const toml::node&, const TomlSpot&)>& readOne)
{
    if (const toml::array* tables = node.as_array(); tables != nullptr && tables->size() > most)
        return toml.complain(node, spot, code::PackRecordingTooLong,
                             {{"most", std::to_string(most)}});
    toml.readTables(node, spot, readOne);
}

/// One of `choices` by the name that `nameOf` gives it.
template <class Choices, class NameOf, class Choice>
TomlKey oneOf(TomlReader& toml, std::string_view key, const Choices& choices, NameOf nameOf,
              Choice& target)
{
    return {key,
            [&toml, &choices, nameOf, &target](const toml::node& node, const TomlSpot& spot) {
                const auto said = toml.asText(node, spot);
                if (!said)
                    return;
                std::string known;
                for (const Choice each : choices) {
                    if (nameOf(each) == *said) {
                        target = each;
                        return;
                    }
                    known += (known.empty() ? "" : ", ") + std::string(nameOf(each));
                }
                toml.complain(node, spot, code::PackNoSuchChoice,
                              {{"value", *said}, {"choices", known}});
            },
            {}};
}

} // namespace

TomlKey RecordedJobReader::readWith(std::string_view name,
                                    void (RecordedJobReader::*member)(const toml::node&,
                                                                      const TomlSpot&))
{
    return {name,
            [this, member](const toml::node& node, const TomlSpot& spot) {
                (this->*member)(node, spot);
            },
            {}};
}

TomlKey RecordedJobReader::number(std::string_view name, std::uint64_t& target)
{
    return {name,
            [this, &target](const toml::node& node, const TomlSpot& spot) {
                const auto value = node.value_exact<std::int64_t>();
                if (!value || *value < 0)
                    m_toml.wrongType(node, spot, "a whole number, at least 0");
                else
                    target = static_cast<std::uint64_t>(*value);
            },
            {}};
}

void RecordedJobReader::refuse(const toml::node& node, const TomlSpot& spot, const char* key,
                               Code code, Parameters parameters)
{
    const toml::table* table = node.as_table();
    const toml::node* place = table == nullptr ? nullptr : table->get(key);
    m_toml.complain(place == nullptr ? node : *place, {key, spot.field + "." + key}, code,
                    std::move(parameters));
}

void RecordedJobReader::read(const toml::node& node, const TomlSpot& spot, RecordedJob& job)
{
    m_job = &job;
    // What is said of ranks is held against these.
    m_toml.readTable(node, spot, spot.field + ".",
                     {m_toml.key("run", job.run),
                      m_toml.key("backend", job.backend),
                      m_toml.key("world_size", job.worldSize),
                      m_toml.key("ranks", job.ranks),
                      readWith("before", &RecordedJobReader::readBefore),
                      readWith("code", &RecordedJobReader::readCode),
                      {"happened", [](const auto&, const auto&) {}, {}},
                      {"verdict", [](const auto&, const auto&) {}, {}}});
    const toml::table* table = node.as_table();
    if (table == nullptr)
        return;
    checkRanks(node, spot);
    const auto part = [&](const char* key, auto member) {
        if (const toml::node* found = table->get(key))
            (this->*member)(*found, {key, spot.field + "." + key});
        else
            refuse(node, spot, key, code::PackKeyMissing, {{"table", spot.field}});
    };
    part("happened", &RecordedJobReader::readHappenings);
    part("verdict", &RecordedJobReader::readVerdict);
    // Without one there is nothing to step through.
    if (m_latestCall.empty() && table->contains("happened"))
        refuse(node, spot, "happened", code::PackKeyMissing, {{"table", spot.field}});
}

void RecordedJobReader::checkRanks(const toml::node& node, const TomlSpot& spot)
{
    RecordedJob& job = *m_job;
    if (job.worldSize < 1 || job.worldSize > RecordedJob::MostWorkers) {
        refuse(node, spot, "world_size", code::PackNumberOutside,
               {{"least", "1"}, {"most", std::to_string(RecordedJob::MostWorkers)}});
        job.worldSize = 1;
    }
    const auto isOutside = [&](int rank) { return rank < 0 || rank >= job.worldSize; };
    const bool isSound =
        !job.ranks.empty() && job.ranks.size() <= RecordedJob::MostRanks &&
        std::ranges::none_of(job.ranks, isOutside) &&
        std::ranges::adjacent_find(job.ranks, std::greater_equal()) == job.ranks.end();
    if (!isSound)
        refuse(node, spot, "ranks", code::PackRecordingRanks,
               {{"most", std::to_string(RecordedJob::MostRanks)}});
}

bool RecordedJobReader::isShown(int rank) const
{
    return std::ranges::find(m_job->ranks, rank) != m_job->ranks.end();
}

void RecordedJobReader::checkRanksIn(const toml::node& node, const TomlSpot& spot,
                                     const std::vector<int>& ranks)
{
    for (const int rank : ranks)
        if (!isShown(rank))
            return m_toml.complain(node, spot, code::PackRankNotShown,
                                   {{"rank", std::to_string(rank)}});
}

void RecordedJobReader::readBefore(const toml::node& node, const TomlSpot& spot)
{
    const toml::table* table = node.as_table();
    if (table == nullptr)
        return m_toml.wrongType(node, spot, "a table");
    for (const auto& [key, value] : *table) {
        const std::string name(key.str());
        number(name, m_job->before[name]).read(value, {name, spot.field + "." + name});
    }
}

void RecordedJobReader::readCode(const toml::node& node, const TomlSpot& spot)
{
    readEach(m_toml, node, spot, RecordedJob::MostCode,
             [this](const toml::node& table, const TomlSpot& place) {
                 CodeLines& code = m_job->code.emplace_back();
                 m_toml.readTable(table, place, place.field + ".",
                                  {m_toml.key("file", code.file), m_toml.key("first", code.first),
                                   m_toml.key("text", code.text)});
                 if (code.first < 1 || code.first > INT_MAX / 2)
                     refuse(table, place, "first", code::PackNumberOutside,
                            {{"least", "1"}, {"most", std::to_string(INT_MAX / 2)}});
             });
}

void RecordedJobReader::readHappenings(const toml::node& node, const TomlSpot& spot)
{
    readEach(m_toml, node, spot, RecordedJob::MostHappenings,
             [this](const toml::node& table, const TomlSpot& place) {
                 Happening& happening = m_job->happenings.emplace_back();
                 LessonCall& call = happening.operation;
                 LessonValue data{.kind = LessonValue::Kind::Tensor, .isPart = true};
                 std::uint64_t at = 0;
                 std::uint64_t elements = 0;
                 m_toml.readTable(
                     table, place, place.field + ".",
                     {oneOf(
                          m_toml, "does", HappeningKinds,
                          [](HappeningKind kind) { return nameOf(kind); }, happening.kind),
                      m_toml.key("rank", happening.rank),
                      number("at", at),
                      number("call", happening.call),
                      m_toml.key("operation", call.operation),
                      m_toml.key("group", call.group),
                      m_toml.key("members", call.members),
                      m_toml.key("peer", call.peer),
                      m_toml.key("tag", call.tag),
                      m_toml.key("reduction", call.reduction),
                      m_toml.key("goes_on", call.isAsync),
                      m_toml.key("type", data.type),
                      number("elements", elements),
                      number("bytes", data.bytes),
                      m_toml.key("file", happening.file),
                      m_toml.key("function", happening.function),
                      m_toml.key("line", happening.line),
                      m_toml.key("failed", happening.hasFailed),
                      m_toml.key("exit_code", happening.exit.code),
                      m_toml.key("signal", happening.exit.signal)});
                 constexpr std::uint64_t MostMicroseconds = std::uint64_t(1) << 52U;
                 happening.at = std::chrono::microseconds(std::min(at, MostMicroseconds));
                 if (elements > 0)
                     data.shape = {static_cast<std::int64_t>(elements)};
                 if (!data.type.empty())
                     (isReceive(call.operation) ? call.outputs : call.inputs) = {data};
                 if (table.is_table())
                     checkHappening(table, place, happening);
             });
}

void RecordedJobReader::checkHappening(const toml::node& node, const TomlSpot& spot,
                                       const Happening& happening)
{
    const std::pair one{happening.rank, happening.call};
    const Parameters names{{"rank", std::to_string(happening.rank)},
                           {"call", std::to_string(happening.call)}};
    if (!isShown(happening.rank))
        return refuse(node, spot, "rank", code::PackRankNotShown, names);
    switch (happening.kind) {
    case HappeningKind::Calls: return checkCall(node, spot, happening);
    case HappeningKind::Returns:
    case HappeningKind::Waits:
        if ((happening.kind == HappeningKind::Waits ? m_requests : m_open).erase(one) == 0)
            refuse(node, spot, "call", code::PackNoOpenCall, names);
        m_open.erase(one);
        m_requests.erase(one);
        return;
    case HappeningKind::Exits:
        if (happening.exit.code < 0 || happening.exit.code > MostExit)
            refuse(node, spot, "exit_code", code::PackNumberOutside,
                   {{"least", "0"}, {"most", std::to_string(MostExit)}});
        if (happening.exit.signal < 0 || happening.exit.signal > MostExit)
            refuse(node, spot, "signal", code::PackNumberOutside,
                   {{"least", "0"}, {"most", std::to_string(MostExit)}});
        return;
    }
}

void RecordedJobReader::checkCall(const toml::node& node, const TomlSpot& spot,
                                  const Happening& happening)
{
    const LessonCall& call = happening.operation;
    std::uint64_t& latest = m_latestCall[happening.rank];
    if (happening.call <= latest || happening.call > INT_MAX)
        refuse(
            node, spot, "call", code::PackCallOutOfOrder,
            {{"rank", std::to_string(happening.rank)}, {"call", std::to_string(happening.call)}});
    latest = std::max(latest, happening.call);
    const bool isOfPair = isSend(call.operation) || isReceive(call.operation);
    const bool isPeer =
        call.peer == -1 ||
        (isOfPair ? isShown(call.peer) : call.peer >= 0 && call.peer < m_job->worldSize);
    if (!isPeer || (isSend(call.operation) && call.peer < 0))
        refuse(node, spot, "peer", code::PackRankNotShown, {{"rank", std::to_string(call.peer)}});
    if (call.operation.empty() || call.operation == "wait")
        refuse(node, spot, "operation", code::PackKeyMissing, {{"table", spot.field}});
    if (happening.line < 0)
        refuse(node, spot, "line", code::PackNumberOutside,
               {{"least", "0"}, {"most", std::to_string(INT_MAX)}});
    checkRanksIn(node, spot, call.members);
    m_open.insert({happening.rank, happening.call});
    if (call.isAsync)
        m_requests.insert({happening.rank, happening.call});
}

TomlKey RecordedJobReader::message(std::string_view name, Message& target)
{
    return {name,
            [this, &target](const toml::node& node, const TomlSpot& spot) {
                readMessage(node, spot, target);
            },
            {}};
}

void RecordedJobReader::readMessage(const toml::node& node, const TomlSpot& spot, Message& message)
{
    std::string name;
    std::map<std::string, std::string> parameters;
    m_toml.readTable(node, spot, spot.field + ".",
                     {m_toml.key("code", name),
                      {"parameters",
                       [&](const toml::node& table, const TomlSpot& place) {
                           m_toml.readMap(table, place, parameters);
                       },
                       {}},
                      m_toml.key("detail", message.detail)});
    const auto known = codeFromName(name);
    if (!known)
        return refuse(node, spot, "code", code::PackNoSuchStatement, {{"code", name}});
    message.code = *known;
    message.parameters = {parameters.begin(), parameters.end()};
}

void RecordedJobReader::readEvidence(const toml::node& node, const TomlSpot& spot)
{
    readEach(m_toml, node, spot, MostEvidence,
             [this](const toml::node& table, const TomlSpot& place) {
                 readMessage(table, place, m_job->verdict.evidence.emplace_back());
             });
}

void RecordedJobReader::readVerdict(const toml::node& node, const TomlSpot& spot)
{
    Verdict& verdict = m_job->verdict;
    m_toml.readTable(node, spot, spot.field + ".",
                     {oneOf(
                          m_toml, "kind", VerdictKinds,
                          [](Verdict::Kind kind) { return traitsOf(kind).name; }, verdict.kind),
                      m_toml.key("sure", verdict.isSure), m_toml.key("guilty", verdict.guilty),
                      m_toml.key("waiting", verdict.waiting),
                      message("statement", verdict.statement),
                      readWith("evidence", &RecordedJobReader::readEvidence),
                      message("remedy", verdict.remedy)});
    if (!node.is_table())
        return;
    verdict.id = 1;
    for (std::vector<int>* ranks : {&verdict.guilty, &verdict.waiting}) {
        std::ranges::sort(*ranks);
        ranks->erase(std::unique(ranks->begin(), ranks->end()), ranks->end());
    }
    if (verdict.guilty.empty())
        refuse(node, spot, "guilty", code::PackKeyMissing, {{"table", spot.field}});
    if (verdict.statement.code == code::None)
        refuse(node, spot, "statement", code::PackKeyMissing, {{"table", spot.field}});
    checkRanksIn(node, spot, verdict.guilty);
    checkRanksIn(node, spot, verdict.waiting);
}

} // namespace ringmaster::lesson
