#include "engine/import/FlightRecorder.h"

#include "engine/import/BoundedCount.h"
#include "engine/import/Codes.h"
#include "engine/import/JsonValues.h"
#include "engine/import/PlainPickle.h"
#include "engine/import/TorchNames.h"
#include "engine/ledger/Layout.h"
#include "engine/ledger/Moments.h"
#include "engine/ledger/UserCode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <tuple>

namespace ringmaster {

namespace {

using Json = nlohmann::json;
using ledger::OperationKind;

constexpr int DeepestDump = 16;
constexpr size_t MostEntries = 200'000;
constexpr size_t MostGroupsOfDump = 65'536;
constexpr size_t LongestOperationName = 64;

std::uint64_t elementsIn(const Json& entry, const char* name)
{
    constexpr std::uint64_t Most = std::numeric_limits<std::int64_t>::max();
    std::uint64_t sum = 0;
    const Json* sizes = memberOf(entry, name);
    if (sizes == nullptr || !sizes->is_array())
        return 0;
    for (const Json& shape : *sizes) {
        std::uint64_t elements = shape.is_array() ? 1 : 0;
        for (const Json& size : shape)
            elements = boundedProduct(
                elements, size.is_number_unsigned() ? size.get<std::uint64_t>() : 0, Most);
        sum = std::min(Most, sum) + std::min(Most - std::min(Most, sum), elements);
    }
    return sum;
}

/// Other where they differ.
ledger::DataType typeIn(const Json& entry, const char* name)
{
    auto type = ledger::DataType::None;
    const Json* types = memberOf(entry, name);
    if (types == nullptr || !types->is_array())
        return type;
    for (const Json& each : *types) {
        const auto found = each.is_string() ? typeCalled(each.get_ref<const std::string&>())
                                            : ledger::DataType::Other;
        if (type != ledger::DataType::None && type != found)
            return ledger::DataType::Other;
        type = found;
    }
    return type;
}

std::int64_t momentIn(const Json& entry, const char* name)
{
    const std::int64_t ns = numberOf(entry, name);
    return ns > 0 && isMoment(ns) ? ns : 0;
}

/// "send 0->1", "recv 1<-0": the peer comes last.
std::int32_t peerIn(std::string_view name)
{
    const size_t at = std::min(name.find("->"), name.find("<-"));
    int peer = -1;
    if (at == std::string_view::npos)
        return -1;
    const char* const from = name.data() + at + 2;
    const auto read = std::from_chars(from, name.data() + name.size(), peer);
    return read.ec == std::errc() && peer >= 0 && peer < MostRanks ? peer : -1;
}

class DumpReader
{
public:
    explicit DumpReader(const Json& dump) : m_json(dump) {}

    Result<FlightRecorderDump> read()
    {
        m_dump.version = textOf(m_json, "version", 16);
        const Json* entries = memberOf(m_json, "entries");
        const bool isOne = !m_dump.version.empty() && memberOf(m_json, "pg_config") != nullptr;
        if (!isOne)
            return fail(code::ImportDamaged, {{"reason", "it has no version or no pg_config"}});
        if (!m_dump.version.starts_with("2."))
            return fail(code::ImportVersion, {{"version", m_dump.version}});
        readMembers();
        // One that has recorded nothing has none.
        if (entries == nullptr || !entries->is_array())
            return std::move(m_dump);
        if (entries->size() > MostEntries)
            return fail(code::ImportDamaged, {{"reason", "it has too many entries"}});
        for (const Json& entry : *entries) {
            if (!entry.is_object())
                return fail(code::ImportDamaged, {{"reason", "an entry is no object"}});
            readEntry(entry);
        }
        return std::move(m_dump);
    }

private:
    void readMembers()
    {
        const Json& groups = *memberOf(m_json, "pg_config");
        if (!groups.is_object() || groups.size() > MostGroupsOfDump)
            return;
        for (const auto& [name, group] : groups.items()) {
            const Json* ranks = memberOf(group, "ranks");
            std::vector<int> members = ranks == nullptr ? std::vector<int>() : ranksIn(*ranks);
            // Gloo writes one group without a name, whichever was made last.
            if (!name.empty() && !members.empty())
                m_dump.members[name.substr(0, ledger::LongestGroupName)] = std::move(members);
        }
    }

    void readEntry(const Json& entry)
    {
        if (m_dump.entries.empty())
            m_dump.isWhole = numberOf(entry, "record_id") == 0;
        FlightRecorderDump::Entry read{.group = groupOf(entry),
                                       .input = elementsIn(entry, "input_sizes"),
                                       .output = elementsIn(entry, "output_sizes")};
        Operation& operation = read.operation;
        operation.id = m_dump.entries.size() + 1;
        setName(operation, textOf(entry, "profiling_name"));
        operation.number = static_cast<std::uint64_t>(
            std::max<std::int64_t>(0, numberOf(entry, "collective_seq_id")));
        operation.type = typeIn(entry, "input_dtypes");
        if (operation.type == ledger::DataType::None)
            operation.type = typeIn(entry, "output_dtypes");
        operation.enqueuedNs = momentIn(entry, "time_created_ns");
        operation.startedNs = momentIn(entry, "time_discovered_started_ns");
        operation.endedNs = momentIn(entry, "time_discovered_completed_ns");
        // Gloo's entries stay "scheduled"; those of NCCL are retired a moment after their end.
        const bool isOver = isTrue(entry, "retired") || textOf(entry, "state") == "completed";
        operation.outcome = isOver ? Operation::Outcome::Done : Operation::Outcome::Running;
        if (!isOver)
            operation.endedNs = 0;
        operation.site = siteOf(entry);
        m_dump.entries.push_back(std::move(read));
    }

    static std::string groupOf(const Json& entry)
    {
        const Json* group = memberOf(entry, "process_group");
        if (group == nullptr || !group->is_array() || group->empty() || !group->front().is_string())
            return {};
        return group->front().get_ref<const std::string&>().substr(0, ledger::LongestGroupName);
    }

    /// "gloo:all_reduce", "nccl:send 0->1"
    static void setName(Operation& operation, std::string_view name)
    {
        if (const size_t colon = name.find(':'); colon != std::string_view::npos) {
            operation.backend = ledger::backendNamed(name.substr(0, colon));
            name.remove_prefix(colon + 1);
        }
        operation.kind = kindCalled(name.substr(0, name.find(' ')));
        if (ledger::isPointToPoint(operation.kind))
            operation.peer = peerIn(name);
        if (operation.kind == OperationKind::Other)
            operation.name = name.substr(0, LongestOperationName);
    }

    /// The innermost call that isn't torch's.
    std::uint16_t siteOf(const Json& entry)
    {
        const Json* frames = memberOf(entry, "frames");
        if (frames == nullptr || !frames->is_array())
            return 0;
        for (const Json& frame : *frames) {
            const std::string file = textOf(frame, "filename", ledger::LongestSiteFile);
            if (!file.empty() && !isForeignFile(file) && !isTorchFile(file))
                return siteNumber(
                    CallSite{.file = file,
                             .function = textOf(frame, "name", ledger::LongestSiteFunction),
                             .line = static_cast<std::uint32_t>(std::clamp<std::int64_t>(
                                 numberOf(frame, "line"), 0, 10'000'000))});
        }
        return 0;
    }

    std::uint16_t siteNumber(CallSite site)
    {
        const auto key = std::tuple(site.file, site.function, site.line);
        if (const auto known = m_sites.find(key); known != m_sites.end())
            return known->second;
        if (m_sites.size() >= ledger::MostSites)
            return 0;
        site.site = static_cast<std::uint16_t>(m_sites.size() + 1);
        m_sites.emplace(key, site.site);
        m_dump.sites.push_back(site);
        return site.site;
    }

    const Json& m_json;
    FlightRecorderDump m_dump;
    std::map<std::tuple<std::string, std::string, std::uint32_t>, std::uint16_t> m_sites;
};

Result<Json> parseDump(std::string_view content)
{
    bool isTooDeep = false;
    Json json = Json::parse(
        content,
        [&isTooDeep](int depth, Json::parse_event_t, Json&) {
            isTooDeep |= depth > DeepestDump;
            return !isTooDeep;
        },
        false);
    if (isTooDeep || json.is_discarded())
        return fail(code::ImportDamaged, {{"reason", isTooDeep ? "it is too deep" : "no JSON"}});
    return json;
}

} // namespace

bool looksLikeFlightRecorder(std::string_view beginning)
{
    if (looksLikePickle(beginning))
        return true;
    const size_t first = beginning.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || beginning[first] != '{')
        return false;
    return std::ranges::any_of(
        std::array<std::string_view, 3>{"\"comm_lib_version\"", "\"pg_config\"",
                                        "\"collective_seq_id\""},
        [&](std::string_view key) { return beginning.find(key) != std::string_view::npos; });
}

Result<FlightRecorderDump> readFlightRecorder(std::string_view content)
{
    const Json dump =
        RM_TRY(looksLikePickle(content) ? readPlainPickle(content) : parseDump(content));
    return DumpReader(dump).read();
}

} // namespace ringmaster
