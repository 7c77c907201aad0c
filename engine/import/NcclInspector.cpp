#include "engine/import/NcclInspector.h"

#include "engine/import/BoundedCount.h"
#include "engine/import/Codes.h"
#include "engine/import/ImportLines.h"
#include "engine/import/JsonValues.h"
#include "engine/import/TorchNames.h"
#include "engine/ledger/Layout.h"
#include "engine/ledger/Moments.h"

#include <algorithm>
#include <array>
#include <map>

namespace ringmaster {

namespace {

using Json = nlohmann::json;
using ledger::OperationKind;

constexpr size_t LongestInspectorLine = 1U << 20U; // verbose ones name all channels
constexpr size_t MostOperations = 2'000'000;
constexpr size_t MostCommunicators = 65'536;
constexpr int DeepestLine = 16;

/// Microseconds since 1970; 0: none that can be.
std::int64_t momentOf(const Json& object, const char* name)
{
    const std::int64_t microseconds = numberOf(object, name);
    return microseconds > 0 && microseconds < LatestNs / 1000 ? microseconds * 1000 : 0;
}

/// NCCL's size is that of one rank's part where every rank brings or takes another one.
bool isOfOnePart(OperationKind kind)
{
    constexpr std::array Those{OperationKind::AllGather, OperationKind::ReduceScatter,
                               OperationKind::AllToAll,  OperationKind::AllToAllSingle,
                               OperationKind::Gather,    OperationKind::Scatter};
    return std::ranges::find(Those, kind) != Those.end();
}

class InspectorReader
{
public:
    explicit InspectorReader(std::istream& lines) : m_lines(lines, LongestInspectorLine) {}

    Result<NcclInspectorLog> read()
    {
        std::string line;
        while (m_lines.next(line) && m_problem.empty())
            readLine(line);
        if (m_lines.isTooLong())
            m_problem = "it has a line that is too long";
        if (m_problem.empty() && m_log.communicators.empty())
            m_problem = "it has no line of NCCL Inspector";
        if (!m_problem.empty())
            return fail(code::ImportDamaged, {{"reason", m_problem}});
        return std::move(m_log);
    }

private:
    void readLine(const std::string& line)
    {
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            return;
        bool isTooDeep = false;
        const Json entry = Json::parse(
            line,
            [&isTooDeep](int depth, Json::parse_event_t, Json&) {
                isTooDeep |= depth > DeepestLine;
                return !isTooDeep;
            },
            false);
        const bool isObject = !isTooDeep && entry.is_object();
        // The process was ended while it wrote.
        if (!isObject && m_lines.isLast())
            m_log.isCutOff = true;
        else if (!isObject)
            m_problem = "a line is no JSON";
        else
            readEntry(entry);
    }

    void readEntry(const Json& entry)
    {
        const Json* header = memberOf(entry, "header");
        const Json* about = memberOf(entry, "metadata");
        if (header == nullptr)
            return;
        const auto communicator = communicatorOf(*header);
        if (!communicator)
            return;
        if (about != nullptr && m_log.pid == 0) {
            m_log.host = textOf(*about, "hostname", 255);
            m_log.pid = numberOf(*about, "pid");
        }
        const std::int64_t writtenNs = about == nullptr ? 0 : momentOf(*about, "dump_timestamp_us");
        if (const Json* performance = memberOf(entry, "coll_perf"))
            readOperation(*performance, "coll", *communicator, writtenNs);
        if (const Json* performance = memberOf(entry, "p2p_perf"))
            readOperation(*performance, "p2p", *communicator, writtenNs);
        if (const Json* counts = memberOf(entry, "dump_stats"))
            readDropped(*counts, *communicator);
    }

    std::optional<std::uint32_t> communicatorOf(const Json& header)
    {
        NcclInspectorLog::Communicator read{
            .id = textOf(header, "id", 64),
            .name = textOf(header, "comm_name", ledger::LongestGroupName),
            .rank = static_cast<int>(
                std::clamp<std::int64_t>(numberOf(header, "rank", -1), -1, MostRanks)),
            .ranks = static_cast<int>(
                std::clamp<std::int64_t>(numberOf(header, "n_ranks"), 0, MostRanks))};
        if (read.id.empty() || read.rank < 0 || read.rank >= read.ranks)
            return std::nullopt;
        const auto next = static_cast<std::uint32_t>(m_log.communicators.size());
        const auto [known, isNew] = m_numbers.try_emplace({read.id, read.rank}, next);
        if (isNew && m_log.communicators.size() >= MostCommunicators)
            m_problem = "it has too many communicators";
        else if (isNew)
            m_log.communicators.push_back(std::move(read));
        return known->second;
    }

    void readOperation(const Json& performance, const std::string& form, std::uint32_t communicator,
                       std::int64_t writtenNs)
    {
        const auto named = [&](const char* name) { return form + name; };
        const std::int64_t lastedNs = momentOf(performance, named("_exec_time_us").c_str());
        const std::string name = textOf(performance, form.c_str(), 64);
        if (name.empty() || lastedNs == 0)
            return;
        const bool isPair = form == "p2p";
        Operation operation{.id = m_log.entries.size() + 1,
                            .kind = kindCalled(name),
                            .backend = ledger::Backend::Nccl,
                            .outcome = Operation::Outcome::Done,
                            .group = communicator,
                            .number = static_cast<std::uint64_t>(std::max<std::int64_t>(
                                0, numberOf(performance, named("_sn").c_str())))};
        if (isPair)
            operation.peer = static_cast<int>(
                std::clamp<std::int64_t>(numberOf(performance, "p2p_peer", -1), -1, MostRanks - 1));
        if (operation.kind == OperationKind::Other)
            operation.name = name;
        setBytes(operation, numberOf(performance, named("_msg_size_bytes").c_str()));
        const bool isTimed = setTimes(operation, performance, form, lastedNs, writtenNs);
        if (operation.endedNs == 0)
            return;
        if (m_log.entries.size() >= MostOperations)
            m_problem = "it has too many operations";
        else
            m_log.entries.push_back({std::move(operation), isTimed});
    }

    void setBytes(Operation& operation, std::int64_t size) const
    {
        constexpr std::uint64_t Most = std::uint64_t(1) << 62U;
        const int ranks =
            isOfOnePart(operation.kind) ? m_log.communicators[operation.group].ranks : 1;
        operation.bytes =
            boundedProduct(static_cast<std::uint64_t>(std::max<std::int64_t>(size, 0)),
                           static_cast<std::uint64_t>(ranks), Most);
    }

    /// How long it took is measured in the kernel; when that was, only verbose logs say.
    static bool setTimes(Operation& operation, const Json& performance, const std::string& form,
                         std::int64_t lastedNs, std::int64_t writtenNs)
    {
        const Json* trace = memberOf(performance, "event_trace_ts");
        const std::int64_t calledNs =
            trace == nullptr ? 0 : momentOf(*trace, (form + "_start_ts").c_str());
        std::int64_t stoppedNs = 0;
        if (const Json* kernels = trace == nullptr ? nullptr : memberOf(*trace, "kernel_events");
            kernels != nullptr && kernels->is_array()) {
            for (const Json& kernel : *kernels)
                stoppedNs = std::max(stoppedNs, momentOf(kernel, "kernel_stop_ts"));
        }
        const bool isTimed = calledNs != 0 && stoppedNs > calledNs;
        operation.endedNs = isTimed ? stoppedNs : writtenNs;
        operation.startedNs = operation.endedNs - lastedNs;
        operation.enqueuedNs =
            isTimed ? std::min(calledNs, operation.startedNs) : operation.startedNs;
        if (operation.enqueuedNs <= 0)
            operation.endedNs = 0;
        return isTimed;
    }

    /// They are told anew with each dump, as the sum of the communicator so far.
    void readDropped(const Json& counts, std::uint32_t communicator)
    {
        std::uint64_t dropped = 0;
        for (const char* name : {"coll_dropped_total", "p2p_dropped_total"})
            dropped += static_cast<std::uint64_t>(
                std::clamp<std::int64_t>(numberOf(counts, name), 0, INT32_MAX));
        std::uint64_t& known = m_dropped[communicator];
        m_log.dropped += std::max(dropped, known) - known;
        known = std::max(dropped, known);
    }

    ImportLines m_lines;
    NcclInspectorLog m_log;
    std::map<std::pair<std::string, int>, std::uint32_t> m_numbers;
    std::map<std::uint32_t, std::uint64_t> m_dropped; ///< By communicator.
    std::string m_problem;
};

} // namespace

const NcclInspectorLog::Communicator* NcclInspectorLog::largest() const
{
    const auto found = std::ranges::max_element(communicators, {}, &Communicator::ranks);
    return found == communicators.end() ? nullptr : &*found;
}

bool looksLikeNcclInspector(std::string_view beginning)
{
    return beginning.starts_with('{') &&
           beginning.find("\"inspector_output_format_version\"") != std::string_view::npos;
}

Result<NcclInspectorLog> readNcclInspector(std::istream& lines)
{
    return InspectorReader(lines).read();
}

} // namespace ringmaster
