#include "engine/job/Codes.h"
#include "engine/job/JobOptions.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/Pack.h"
#include "engine/lesson/RecordedJobReader.h"
#include "engine/text/TomlReader.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ringmaster::lesson {

namespace {

constexpr int Format = 1;
constexpr int FewestRanks = 1;
constexpr int MostRanks = 8;

constexpr std::array<std::string_view, 5> OutcomeNames{"succeeds", "deadlocks", "hazard",
                                                       "disagrees", "fails"};
constexpr std::array<std::string_view, 6> QuestionNames{"value",    "blocked", "bytes-sent",
                                                        "deadlock", "sender",  "guilty"};
/// What only a lesson with a program has.
constexpr std::array OfProgram{"source",    "program",  "start",          "bars",
                               "expect",    "task",     "ranks",          "ranks_min",
                               "ranks_max", "backends", "ring_algorithm", "max_restarts"};

/// As many elements of a tensor as are recorded.
constexpr int MostAskedElements = 64;

/// Where a key's value stands; a key that isn't there is missing in its table.
const toml::node& placeIn(const toml::table& table, std::string_view key)
{
    const toml::node* node = table.get(key);
    return node == nullptr ? table : *node;
}

const toml::node& questionIn(const toml::table& root, size_t index)
{
    const toml::array* questions = root["question"].as_array();
    return questions == nullptr || index >= questions->size() ? static_cast<const toml::node&>(root)
                                                              : *questions->get(index);
}

/// Of `chunks[2]` and `layer.weight`, what the program itself has as a name.
bool hasName(std::string_view source, std::string_view variable)
{
    const std::string_view name = variable.substr(0, variable.find_first_of("[."));
    const auto isPart = [&](size_t at) {
        return at < source.size() &&
               (std::isalnum(static_cast<unsigned char>(source[at])) != 0 || source[at] == '_');
    };
    for (size_t at = source.find(name); !name.empty() && at != std::string_view::npos;
         at = source.find(name, at + 1))
        if ((at == 0 || !isPart(at - 1)) && !isPart(at + name.size()))
            return true;
    return false;
}

template <class Names>
std::string listed(const Names& names)
{
    std::string text;
    for (const std::string_view name : names)
        text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

/// The schema of a `.ringlesson`.
class PackReader
{
public:
    PackReader(const ReadProgram& readProgram) : m_readProgram(readProgram) {}
    PackResult read(const toml::table& root);

private:
    using Spot = TomlSpot;

    TomlKeys packKeys();
    TomlKeys questionKeys(Question& question);
    TomlKey text(std::string_view name, Text& target);
    template <class Names, class Choice>
    TomlKey choice(std::string_view name, const Names& names, Choice& target);
    void readTables(const toml::node& node, const Spot& spot,
                    const std::function<void(const toml::node&, const Spot&)>& readOne);
    void readQuestion(const toml::node& node, const Spot& spot);
    void readTask(const toml::node& node, const Spot& spot);
    void readProgram(const toml::node& node, const Spot& spot);
    void readRecording(const toml::node& node, const Spot& spot);
    void checkWhole(const toml::table& root);
    void checkLines(const toml::table& root);
    void checkAnswers(const toml::table& root);
    void checkRecording(const toml::table& root);
    void checkQuestion(const Question& question, const toml::node& node, const Spot& spot);
    void require(const toml::node& node, const Spot& spot, bool isThere, const char* key);

    const ReadProgram& m_readProgram;
    Pack m_pack;
    int m_format = 0;
    TomlReader m_toml;
};

/// A text is a table with both languages.
TomlKey PackReader::text(std::string_view name, Text& target)
{
    return {name,
            [this, &target](const toml::node& node, const Spot& spot) {
                m_toml.readTable(
                    node, spot, spot.field + ".",
                    {m_toml.key("en", target.english), m_toml.key("ja", target.japanese)});
                if (!node.is_table())
                    return;
                require(node, spot, !target.english.empty(), "en");
                require(node, spot, !target.japanese.empty(), "ja");
            },
            {}};
}

template <class Names, class Choice>
TomlKey PackReader::choice(std::string_view name, const Names& names, Choice& target)
{
    return {name,
            [this, &names, &target](const toml::node& node, const Spot& spot) {
                const auto value = m_toml.asText(node, spot);
                const auto found = value ? std::ranges::find(names, *value) : names.end();
                if (found != names.end())
                    target = static_cast<Choice>(found - names.begin());
                else if (value)
                    m_toml.complain(node, spot, code::JobFileBadChoice,
                                    {{"value", *value}, {"choices", listed(names)}});
            },
            {}};
}

void PackReader::readTables(const toml::node& node, const Spot& spot,
                            const std::function<void(const toml::node&, const Spot&)>& readOne)
{
    const toml::array* tables = node.as_array();
    if (tables == nullptr)
        return m_toml.wrongType(node, spot, "[[tables]]");
    int index = 0;
    for (const toml::node& table : *tables)
        readOne(table, {spot.key, spot.field + "." + std::to_string(index++)});
}

TomlKeys PackReader::questionKeys(Question& question)
{
    return {choice("kind", QuestionNames, question.kind),
            text("text", question.text),
            m_toml.key("at", question.at),
            m_toml.key("occurrence", question.occurrence),
            m_toml.key("rank", question.rank),
            m_toml.key("variable", question.variable),
            m_toml.key("element", question.element),
            text("because", question.because)};
}

void PackReader::readQuestion(const toml::node& node, const Spot& spot)
{
    Question& question = m_pack.questions.emplace_back();
    m_toml.readTable(node, spot, spot.field + ".", questionKeys(question));
    if (node.is_table())
        checkQuestion(question, node, spot);
}

void PackReader::readTask(const toml::node& node, const Spot& spot)
{
    Task& task = m_pack.tasks.emplace_back();
    m_toml.readTable(node, spot, spot.field + ".",
                     {text("text", task.text), choice("expect", OutcomeNames, task.expect)});
    require(node, spot, !task.text.english.empty() || !node.is_table(), "text");
}

void PackReader::readProgram(const toml::node& node, const Spot& spot)
{
    const auto name = m_toml.asText(node, spot);
    if (!name)
        return;
    auto source = m_readProgram(*name);
    if (source)
        m_pack.source = *std::move(source);
    else
        m_toml.complain(node, spot, source.error().code, source.error().parameters);
}

void PackReader::readRecording(const toml::node& node, const Spot& spot)
{
    RecordedJobReader(m_toml).read(node, spot, m_pack.recording.emplace());
    if (!m_pack.recording->backend.empty())
        m_pack.backends = {m_pack.recording->backend};
}

TomlKeys PackReader::packKeys()
{
    const auto custom = [this](std::string_view name, auto member) {
        return TomlKey{name,
                       [this, member](const toml::node& node, const Spot& spot) {
                           (this->*member)(node, spot);
                       },
                       {}};
    };
    return {m_toml.key("format", m_format),
            m_toml.key("name", m_pack.name),
            m_toml.key("order", m_pack.order),
            m_toml.key("order_collectives_first", m_pack.orderCollectivesFirst),
            m_toml.key("ranks", m_pack.ranks),
            m_toml.key("ranks_min", m_pack.minRanks),
            m_toml.key("ranks_max", m_pack.maxRanks),
            m_toml.key("backends", m_pack.backends),
            m_toml.key("ring_algorithm", m_pack.ringAlgorithm),
            m_toml.key("max_restarts", m_pack.maxRestarts),
            m_toml.key("source", m_pack.source),
            custom("program", &PackReader::readProgram),
            m_toml.key("start", m_pack.start),
            m_toml.key("bars", m_pack.bars),
            choice("expect", OutcomeNames, m_pack.expect),
            text("title", m_pack.title),
            text("text", m_pack.text),
            text("mistake", m_pack.mistake),
            custom("recording", &PackReader::readRecording),
            {"question",
             [this](const toml::node& node, const Spot& spot) {
                 readTables(node, spot, [this](const toml::node& table, const Spot& place) {
                     readQuestion(table, place);
                 });
             },
             {}},
            {"task",
             [this](const toml::node& node, const Spot& spot) {
                 readTables(node, spot, [this](const toml::node& table, const Spot& place) {
                     readTask(table, place);
                 });
             },
             {}}};
}

void PackReader::require(const toml::node& node, const Spot& spot, bool isThere, const char* key)
{
    if (!isThere)
        m_toml.complain(node, {key, spot.field.empty() ? key : spot.field + "." + key},
                        code::PackKeyMissing, {{"key", key}, {"table", spot.field}});
}

void PackReader::checkQuestion(const Question& question, const toml::node& node, const Spot& spot)
{
    require(node, spot, !question.text.english.empty(), "text");
    const bool asksOfLine = question.kind != Question::Kind::BytesSent &&
                            question.kind != Question::Kind::Deadlock &&
                            question.kind != Question::Kind::Guilty;
    if (asksOfLine)
        require(node, spot, !question.at.empty(), "at");
    if (question.kind == Question::Kind::Value)
        require(node, spot, !question.variable.empty(), "variable");
}

/// What one key can't tell. A question's line is looked for when the program is known.
void PackReader::checkWhole(const toml::table& root)
{
    const Spot whole{};
    if (m_format != Format)
        m_toml.complain(placeIn(root, "format"), {"format", "format"}, code::PackFormat,
                        {{"format", std::to_string(Format)}});
    const bool isName = !m_pack.name.empty() && std::ranges::all_of(m_pack.name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (!isName)
        m_toml.complain(placeIn(root, "name"), {"name", "name"}, code::PackBadName,
                        {{"name", m_pack.name}});
    require(root, whole, !m_pack.title.english.empty() || root.contains("title"), "title");
    require(root, whole, !m_pack.text.english.empty() || root.contains("text"), "text");
    require(root, whole, !m_pack.mistake.english.empty() || root.contains("mistake"), "mistake");
    if (m_pack.recording)
        return checkRecording(root);
    require(root, whole, root.contains("source") || root.contains("program"), "source");
    if (m_pack.minRanks < FewestRanks || m_pack.maxRanks > MostRanks ||
        m_pack.ranks < m_pack.minRanks || m_pack.ranks > m_pack.maxRanks)
        m_toml.complain(
            placeIn(root, "ranks"), {"ranks", "ranks"}, code::PackBadRanks,
            {{"least", std::to_string(FewestRanks)}, {"most", std::to_string(MostRanks)}});
    for (const std::string& backend : m_pack.backends)
        if (!isChoice("backend", backend))
            m_toml.complain(placeIn(root, "backends"), {"backends", "backends"},
                            code::JobFileBadChoice,
                            {{"value", backend}, {"choices", listed(choicesOf("backend"))}});
    if (m_pack.backends.empty())
        require(root, whole, false, "backends");
    if (const auto problem = problemOfProgram(m_pack.source))
        m_toml.complain(placeIn(root, "source"), {"source", "source"}, problem->code,
                        problem->parameters);
    checkLines(root);
    checkAnswers(root);
}

/// It runs nothing, and knows no more than what its verdict says.
void PackReader::checkRecording(const toml::table& root)
{
    for (const char* key : OfProgram)
        if (root.contains(key))
            m_toml.complain(placeIn(root, key), {key, key}, code::PackRunsNothing);
    for (size_t index = 0; index < m_pack.questions.size(); ++index) {
        const Question& question = m_pack.questions[index];
        const toml::node& table = questionIn(root, index);
        if (question.kind != Question::Kind::Guilty || !question.at.empty() ||
            !question.variable.empty())
            m_toml.complain(table.is_table() ? placeIn(*table.as_table(), "kind") : table,
                            {"kind", "question." + std::to_string(index) + ".kind"},
                            code::PackOnlyGuilty);
    }
}

void PackReader::checkLines(const toml::table& root)
{
    const auto findLine = [&](const toml::node& table, const char* key, const std::string& part,
                              const std::string& field) {
        if (!part.empty() && !m_pack.source.empty() && lineWith(m_pack.source, part) == 0)
            m_toml.complain(table.is_table() ? placeIn(*table.as_table(), key) : table,
                            {key, field}, code::PackNoSuchLine, {{"text", part}});
    };
    findLine(root, "start", m_pack.start, "start");
    for (size_t index = 0; index < m_pack.questions.size(); ++index)
        findLine(questionIn(root, index), "at", m_pack.questions[index].at,
                 "question." + std::to_string(index) + ".at");
}

/// Of questions to which no run of the lesson has an answer.
void PackReader::checkAnswers(const toml::table& root)
{
    for (const std::string& variable : m_pack.bars)
        if (!m_pack.source.empty() && !hasName(m_pack.source, variable))
            m_toml.complain(placeIn(root, "bars"), {"bars", "bars"}, code::PackNoSuchVariable,
                            {{"variable", variable}});
    for (size_t index = 0; index < m_pack.questions.size(); ++index) {
        const Question& question = m_pack.questions[index];
        const auto refuse = [&](const char* key, Code code, Parameters parameters) {
            const toml::node& table = questionIn(root, index);
            m_toml.complain(table.is_table() ? placeIn(*table.as_table(), key) : table,
                            {key, "question." + std::to_string(index) + "." + key}, code,
                            std::move(parameters));
        };
        if (question.kind == Question::Kind::Guilty)
            refuse("kind", code::PackNeedsRecording, {});
        if (question.rank >= m_pack.maxRanks || question.rank < -m_pack.maxRanks)
            refuse("rank", code::PackBadRank,
                   {{"rank", std::to_string(question.rank)},
                    {"most", std::to_string(m_pack.maxRanks)}});
        if (question.element < 0 || question.element >= MostAskedElements)
            refuse("element", code::PackBadElement,
                   {{"element", std::to_string(question.element)},
                    {"most", std::to_string(MostAskedElements)}});
        if (!question.variable.empty() && !m_pack.source.empty() &&
            !hasName(m_pack.source, question.variable))
            refuse("variable", code::PackNoSuchVariable, {{"variable", question.variable}});
    }
}

PackResult PackReader::read(const toml::table& root)
{
    m_toml.readTable(root, {}, "", packKeys());
    checkWhole(root);
    std::vector<Finding> errors = m_toml.takeErrors();
    if (errors.empty())
        return std::move(m_pack);
    std::ranges::stable_sort(errors, {}, [](const Finding& finding) {
        return std::pair(finding.place.line, finding.place.column);
    });
    return tl::unexpected(std::move(errors));
}

} // namespace

PackResult parsePack(std::string_view text, const ReadProgram& readProgram)
{
    const toml::parse_result parsed = toml::parse(text);
    if (parsed)
        return PackReader(readProgram).read(parsed.table());
    const toml::parse_error& error = parsed.error();
    const ringmaster::Message message{
        code::PackNotToml, {{"reason", std::string(error.description())}}, {}};
    return tl::unexpected(std::vector<Finding>{
        {Finding::Severity::Error, message, TomlReader::placeOf(error.source(), {})}});
}

std::string_view nameOf(Outcome outcome)
{
    return OutcomeNames.at(static_cast<size_t>(outcome));
}

std::string_view nameOf(Question::Kind kind)
{
    return QuestionNames.at(static_cast<size_t>(kind));
}

} // namespace ringmaster::lesson
