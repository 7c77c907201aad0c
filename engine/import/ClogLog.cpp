#include "engine/import/ClogLog.h"

#include "engine/import/Codes.h"
#include "engine/import/ImportLines.h"
#include "engine/import/JsonValues.h"
#include "engine/import/TorchNames.h"
#include "engine/ledger/Layout.h"
#include "engine/ledger/Moments.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <deque>
#include <map>

namespace ringmaster {

namespace {

using ledger::DataType;
using ledger::OperationKind;
using ledger::Reduction;

constexpr size_t LongestClogLine = 1U << 20U; // lists have a number a rank
constexpr size_t MostCalls = 2'000'000;
constexpr size_t MostSignatures = 200'000;
constexpr size_t MostClogGroups = 65'536;
constexpr std::uint64_t MostElements = std::uint64_t(1) << 60U;

constexpr auto ClogTypes = std::to_array<std::pair<std::string_view, DataType>>({
    {"f32", DataType::Float32},
    {"f64", DataType::Float64},
    {"f16", DataType::Float16},
    {"bf16", DataType::Bfloat16},
    {"i64", DataType::Int64},
    {"i32", DataType::Int32},
    {"i16", DataType::Int16},
    {"i8", DataType::Int8},
    {"u8", DataType::Uint8},
    {"bool", DataType::Bool},
    {"fp8e4m3", DataType::Float8},
    {"fp8e5m2", DataType::Float8},
});

constexpr auto ClogReductions = std::to_array<std::pair<std::string_view, Reduction>>({
    {"sum", Reduction::Sum},
    {"avg", Reduction::Average},
    {"prod", Reduction::Product},
    {"min", Reduction::Min},
    {"max", Reduction::Max},
    {"band", Reduction::And},
    {"bor", Reduction::Or},
    {"bxor", Reduction::Xor},
});

template <class Table, class Value>
Value named(const Table& table, std::string_view name, Value otherwise)
{
    const auto* const found =
        std::ranges::find(table, name, [](const auto& row) { return row.first; });
    return found == table.end() ? otherwise : found->second;
}

OperationKind clogKind(std::string_view name)
{
    if (name == "all_gather_single")
        return OperationKind::AllGatherIntoTensor;
    if (name == "reduce_scatter_single")
        return OperationKind::ReduceScatterTensor;
    if (name == "all_to_all_v_single")
        return OperationKind::AllToAllSingle;
    for (const std::string_view ending : {"_single", "_v"}) {
        if (name.ends_with(ending) && name != "all_to_all_single")
            name.remove_suffix(ending.size());
    }
    return kindCalled(name);
}

template <class Number>
std::optional<Number> wholly(std::string_view text)
{
    Number number{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(number)
                                                                           : std::nullopt;
}

/// A number, or the sum of several with commas between them.
std::uint64_t elementsIn(std::string_view text)
{
    std::uint64_t sum = 0;
    for (const std::string& each : split(text, ','))
        sum = std::min(MostElements,
                       sum + std::min(MostElements, wholly<std::uint64_t>(each).value_or(0)));
    return sum;
}

class ClogReader
{
public:
    explicit ClogReader(std::istream& lines) : m_lines(lines, LongestClogLine) {}

    Result<FlightRecorderDump> read()
    {
        m_log.source = FlightRecorderDump::Source::Clog;
        m_log.hasEnds = false;
        std::string line;
        while (m_lines.next(line) && !m_problem) {
            // The last one may have been cut anywhere.
            if (m_lines.isLast())
                break;
            readLine(split(stripped(line), '|'));
        }
        if (m_lines.isTooLong())
            m_problem = damaged("it has a line that is too long");
        if (!m_problem && m_log.version.empty())
            m_problem = damaged("it has no first line of ClogHook");
        if (m_problem)
            return tl::unexpected(*std::move(m_problem));
        for (FlightRecorderDump::Entry& entry : m_log.entries)
            entry.operation.id = static_cast<std::uint64_t>(&entry - m_log.entries.data()) + 1;
        return std::move(m_log);
    }

private:
    struct Signature
    {
        FlightRecorderDump::Entry entry{};
        std::deque<size_t> unstarted{}; ///< Among the entries, in the order of their calls.
        std::deque<size_t> unended{};
    };

    static Error damaged(const char* reason)
    {
        return fail(code::ImportDamaged, {{"reason", reason}}).value();
    }

    void readLine(const std::vector<std::string>& fields)
    {
        const std::string& first = fields.front();
        if (first == "V")
            return readVersion(fields);
        if (first == "new_comm")
            return readGroup(fields);
        if (first == "split")
            return readSplit(fields);
        if (first.starts_with('C') && fields.size() > 2 && fields[1] == "sig")
            return readSignature(fields);
        if (first.starts_with('C') && fields.size() > 2)
            return readEvent(first, fields[1], fields.back());
        // What a graph calls while it is captured is called once; a replay has no calls.
        if (first.starts_with('G') && fields.size() > 3 && fields[1].starts_with('C'))
            return readEvent(fields[1], fields[2], fields.back(), first);
        if (first.starts_with('G') && fields.size() > 3 && fields[1].starts_with('R'))
            ++m_log.replayed;
    }

    static std::string valueOf(const std::vector<std::string>& fields, std::string_view name)
    {
        for (const std::string& field : fields) {
            if (field.starts_with(name) && field.size() > name.size() && field[name.size()] == '=')
                return field.substr(name.size() + 1);
        }
        return {};
    }

    void readVersion(const std::vector<std::string>& fields)
    {
        const std::string version = fields.size() > 1 ? fields[1].substr(0, 16) : "";
        const auto base = pythonFloat(valueOf(fields, "base_timestamp"));
        if (version != "1")
            m_problem = fail(code::ImportClogVersion, {{"version", version}}).value();
        else if (!base || *base <= 0 || *base > static_cast<double>(LatestNs) / 1e9)
            m_problem = damaged("its base_timestamp is none");
        else
            m_baseNs = std::llround(*base * 1e3) * 1'000'000;
        // A hook that is made again writes on into the same file.
        m_log.version = version;
    }

    void readGroup(const std::vector<std::string>& fields)
    {
        const std::string name = valueOf(fields, "comm").substr(0, ledger::LongestGroupName);
        const auto rank = wholly<int>(valueOf(fields, "rank"));
        const auto size = wholly<int>(valueOf(fields, "world_size"));
        if (!rank || !size || *rank < 0 || *rank >= *size || *size > MostRanks)
            return;
        if (*size > m_size) {
            m_size = *size;
            m_log.rank = *rank;
            m_log.world = name;
            std::vector<int>& members = m_log.members[name];
            members.clear();
            for (int member = 0; member < *size; ++member)
                members.push_back(member);
        } else if (*size == m_size && m_log.members.size() < MostClogGroups) {
            m_log.members[name] = m_log.members[m_log.world];
        }
    }

    void readSplit(const std::vector<std::string>& fields)
    {
        const std::string child = valueOf(fields, "child").substr(0, ledger::LongestGroupName);
        std::vector<int> members;
        for (const std::string& each : split(valueOf(fields, "ranks"), ',')) {
            const auto rank = wholly<int>(each);
            if (!rank || *rank < 0 || *rank >= MostRanks || members.size() >= size_t{MostRanks})
                return;
            members.push_back(*rank);
        }
        if (!child.empty() && m_log.members.size() < MostClogGroups)
            m_log.members[child] = std::move(members);
    }

    void readSignature(const std::vector<std::string>& fields)
    {
        const std::string& name = fields[2];
        FlightRecorderDump::Entry entry{
            .group = valueOf(fields, "comm").substr(0, ledger::LongestGroupName)};
        Operation& operation = entry.operation;
        operation.kind = clogKind(name);
        if (operation.kind == OperationKind::Other)
            operation.name = name.substr(0, 64);
        operation.backend = ledger::Backend::Unknown;
        const std::string type = valueOf(fields, "dtype");
        operation.type = type.empty() ? DataType::None : named(ClogTypes, type, DataType::Other);
        const std::string reduction = valueOf(fields, "red_op");
        operation.reduction = reduction.empty()
                                  ? Reduction::None
                                  : named(ClogReductions, reduction, Reduction::Other);
        for (const char* peer : {"peer", "root"}) {
            if (const auto rank = wholly<int>(valueOf(fields, peer));
                rank && *rank >= 0 && *rank < MostRanks)
                operation.peer = *rank;
        }
        for (const char* count : {"in_count", "in_counts", "in_splits"})
            entry.input = std::max(entry.input, elementsIn(valueOf(fields, count)));
        for (const char* count : {"out_count", "out_counts", "out_splits"})
            entry.output = std::max(entry.output, elementsIn(valueOf(fields, count)));
        if (m_signatures.size() >= MostSignatures)
            m_problem = damaged("it has too many kinds of calls");
        else
            m_signatures[fields.front()].entry = std::move(entry);
    }

    void readEvent(const std::string& signature, const std::string& event, const std::string& at,
                   const std::string& graph = {})
    {
        Signature* known = signatureOf(signature, graph);
        const auto delta = at.starts_with('+') ? pythonFloat(at.substr(1)) : std::nullopt;
        if (known == nullptr || !delta || *delta < 0 || *delta > 1e9)
            return;
        const std::int64_t atNs = m_baseNs + std::llround(*delta * 1e3) * 1'000'000;
        if (event == "Q")
            call(*known, atNs);
        else if (event == "S")
            start(*known, atNs);
        else if (event == "E")
            end(*known, atNs);
    }

    /// The calls of a graph are started and ended by themselves.
    Signature* signatureOf(const std::string& name, const std::string& graph)
    {
        const auto known = m_signatures.find(name);
        if (known == m_signatures.end())
            return nullptr;
        if (graph.empty())
            return &known->second;
        if (m_signatures.size() >= MostSignatures)
            return nullptr;
        return &m_signatures
                    .try_emplace(graph + "|" + name, Signature{.entry = known->second.entry})
                    .first->second;
    }

    void start(Signature& signature, std::int64_t atNs)
    {
        if (signature.unstarted.empty())
            return;
        operationAt(signature.unstarted.front()).startedNs = atNs;
        signature.unended.push_back(signature.unstarted.front());
        signature.unstarted.pop_front();
    }

    void call(Signature& signature, std::int64_t atNs)
    {
        if (m_log.entries.size() >= MostCalls) {
            m_problem = damaged("it has too many calls");
            return;
        }
        FlightRecorderDump::Entry entry = signature.entry;
        entry.operation.enqueuedNs = atNs;
        if (!ledger::isPointToPoint(entry.operation.kind))
            entry.operation.number = ++m_numbers[entry.group];
        signature.unstarted.push_back(m_log.entries.size());
        m_log.entries.push_back(std::move(entry));
    }

    /// Calls of one signature start and end in their order.
    void end(Signature& signature, std::int64_t atNs)
    {
        m_log.hasEnds = true;
        std::deque<size_t>& waiting =
            signature.unended.empty() ? signature.unstarted : signature.unended;
        if (waiting.empty())
            return;
        Operation& operation = operationAt(waiting.front());
        operation.endedNs = atNs;
        operation.outcome = Operation::Outcome::Done;
        waiting.pop_front();
    }

    Operation& operationAt(size_t index) { return m_log.entries[index].operation; }

    ImportLines m_lines;
    FlightRecorderDump m_log;
    std::int64_t m_baseNs = 0;
    int m_size = 0; ///< Of the largest group.
    std::map<std::string, Signature> m_signatures;
    std::map<std::string, std::uint64_t> m_numbers; ///< By group.
    std::optional<Error> m_problem;
};

} // namespace

bool looksLikeClog(std::string_view beginning)
{
    return beginning.starts_with("V|") &&
           beginning.substr(0, 128).find("|base_timestamp=") != std::string_view::npos;
}

Result<FlightRecorderDump> readClog(std::istream& lines)
{
    return ClogReader(lines).read();
}

} // namespace ringmaster
