#include "engine/import/ProfilerTrace.h"

#include "engine/import/Codes.h"
#include "engine/import/JsonValues.h"
#include "engine/import/TorchNames.h"
#include "engine/import/UnpackedFile.h"
#include "engine/ledger/Layout.h"
#include "engine/ledger/Moments.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <iterator>
#include <limits>
#include <map>

namespace ringmaster {

namespace {

using Json = nlohmann::json;
using ledger::OperationKind;

constexpr std::uint64_t LargestTrace = 4ULL << 30U;
constexpr size_t MostTraceEvents = 2'000'000;
constexpr size_t MostEventValues = 32'000'000; ///< Of all that is wanted.
constexpr size_t MostOtherValues = 1U << 18U;  ///< A list has at most MostRanks.
constexpr int DeepestTrace = 32;
constexpr const char* EventsName = "traceEvents";
constexpr std::string_view WantedMembers[] = {EventsName, "distributedInfo", "baseTimeNanoseconds",
                                              "host_name"};
constexpr std::string_view CallPrefix = "c10d::";
constexpr std::string_view GlooPrefix = "gloo:";

/// Of the whole trace, which may be large, these alone.
bool isWanted(const Json& event)
{
    const std::string name = textOf(event, "name", 128);
    if (textOf(event, "ph", 4) != "X" || name.empty())
        return false;
    const Json* arguments = memberOf(event, "args");
    return name.starts_with(CallPrefix) || name.starts_with(GlooPrefix) ||
           (arguments != nullptr && memberOf(*arguments, "Collective name") != nullptr);
}

/// Chooses, while a trace is parsed, what is kept of it.
class TraceFilter
{
public:
    using Found = Json::parse_event_t;

    /// For the parser's callback, with the same arguments and result.
    bool keeps(int depth, Found found, Json& value)
    {
        if (depth > DeepestTrace)
            m_problem = "it is too deep";
        return chooses(depth, found, value) && m_problem.empty();
    }

    /// Not left in the parser's list, which it searches at each object's end.
    std::vector<Json> takeEvents() { return std::move(m_events); }
    const std::string& problem() const { return m_problem; }

private:
    bool chooses(int depth, Found found, Json& value)
    {
        if (depth == 1 && found == Found::key)
            return beginMember(value);
        if (depth > 0 && !m_isWanted)
            return false;
        constexpr int EventDepth = 2; // below the object and its list
        const bool isEvent = m_isInEvents && depth == EventDepth;
        switch (found) {
        case Found::object_start:
            if (isEvent)
                m_valuesBefore = m_values;
            count();
            return true;
        case Found::object_end:
            if (isEvent)
                takeEvent(value);
            return !isEvent;
        case Found::array_start:
        case Found::value:
            if (isEvent)
                return false; // It is none.
            count();
            return true;
        case Found::key: count(); return true;
        case Found::array_end: return true;
        }
        return true;
    }

    bool beginMember(const Json& name)
    {
        const std::string_view text = name.get_ref<const std::string&>();
        m_isInEvents = text == EventsName;
        m_isWanted = std::ranges::find(WantedMembers, text) != std::end(WantedMembers);
        return m_isWanted;
    }

    void takeEvent(Json& event)
    {
        const size_t values = m_values - m_valuesBefore;
        m_values = m_valuesBefore;
        if (!isWanted(event))
            return;
        m_eventValues += values;
        if (m_events.size() >= MostTraceEvents || m_eventValues > MostEventValues)
            m_problem = "it has too many operations";
        else
            m_events.push_back(std::move(event));
    }

    void count()
    {
        if (++m_values > MostOtherValues)
            m_problem = "it has too many values";
    }

    std::vector<Json> m_events;
    std::string m_problem;
    bool m_isWanted = true;    ///< The member of the whole that is being read.
    bool m_isInEvents = false; ///< It is their list.
    size_t m_values = 0;       ///< And names, but for those of m_events.
    size_t m_valuesBefore = 0; ///< The event that is being read.
    size_t m_eventValues = 0;
};

struct WantedTrace
{
    Json about{};
    std::vector<Json> events{};
};

template <class Input>
Result<WantedTrace> parseTrace(Input&& input)
{
    TraceFilter filter;
    Json about = Json::parse(
        std::forward<Input>(input),
        [&](int depth, TraceFilter::Found found, Json& value) {
            return filter.keeps(depth, found, value);
        },
        false);
    const std::string problem =
        filter.problem().empty() && !about.is_object() ? "no JSON" : filter.problem();
    if (!problem.empty())
        return fail(code::ImportDamaged, {{"reason", problem}});
    return WantedTrace{std::move(about), filter.takeEvents()};
}

std::uint64_t countOf(const Json& arguments, const char* name)
{
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, numberOf(arguments, name)));
}

/// Dims of one tensor, or of a list of them.
std::uint64_t elementsOf(const Json& dims, int depth = 0)
{
    constexpr std::uint64_t Most = std::numeric_limits<std::int32_t>::max();
    constexpr int Deepest = 4;
    if (!dims.is_array() || dims.empty() || depth > Deepest)
        return 0;
    std::uint64_t sum = 0;
    std::uint64_t product = 1;
    for (const Json& dim : dims) {
        if (dim.is_array())
            sum = std::min(Most * Most, sum + elementsOf(dim, depth + 1));
        else if (dim.is_number_unsigned())
            product = std::min(Most, product) * std::min(Most, dim.get<std::uint64_t>());
    }
    return dims.front().is_array() ? sum : product;
}

/// One call or its work, as the trace has it.
struct Span
{
    OperationKind kind = OperationKind::Other;
    std::string group{};
    std::int64_t fromNs = 0;
    std::int64_t untilNs = 0;
    std::uint64_t number = 0;
    std::uint64_t input = 0;
    std::uint64_t output = 0;
    ledger::DataType type = ledger::DataType::None;
    int peer = -1;
    int tag = 0;
    std::vector<int> members{};
};

using Spans = std::vector<Span>;

/// What gloo carries out for a call of torch.distributed.
OperationKind workOf(OperationKind call)
{
    switch (call) {
    case OperationKind::AllReduceCoalesced:
    case OperationKind::ReduceScatter:
    case OperationKind::ReduceScatterTensor:
    case OperationKind::ReduceScatterTensorCoalesced: return OperationKind::AllReduce;
    case OperationKind::AllGatherIntoTensor:
    case OperationKind::AllGatherCoalesced:
    case OperationKind::AllGatherIntoTensorCoalesced: return OperationKind::AllGather;
    case OperationKind::AllToAllSingle: return OperationKind::AllToAll;
    case OperationKind::Other:
    case OperationKind::AllReduce:
    case OperationKind::Broadcast:
    case OperationKind::Reduce:
    case OperationKind::AllGather:
    case OperationKind::AllToAll:
    case OperationKind::Gather:
    case OperationKind::Scatter:
    case OperationKind::Barrier:
    case OperationKind::MonitoredBarrier:
    case OperationKind::Send:
    case OperationKind::Receive:
    case OperationKind::ReceiveAny:
    case OperationKind::InitProcessGroup:
    case OperationKind::NewGroup: break;
    }
    return call;
}

class TraceReader
{
public:
    explicit TraceReader(const WantedTrace& trace) : m_json(trace.about), m_events(trace.events) {}

    Result<ProfilerTrace> read()
    {
        const Json* list = memberOf(m_json, EventsName);
        if (list == nullptr || !list->is_array())
            return fail(code::ImportDamaged, {{"reason", "it has no traceEvents"}});
        m_baseNs = numberOf(m_json, "baseTimeNanoseconds");
        m_trace.host = textOf(m_json, "host_name", 64);
        readAbout();
        for (const Json& event : m_events)
            readEvent(event);
        for (Spans* spans : {&m_calls, &m_works, &m_launches, &m_kernels})
            std::ranges::stable_sort(*spans, {}, &Span::fromNs);
        m_trace.areNumbered = !m_launches.empty() || !m_kernels.empty();
        m_trace.areNumbered ? addNccl() : addGloo();
        std::ranges::stable_sort(m_trace.operations, {}, &Operation::enqueuedNs);
        for (size_t i = 0; i < m_trace.operations.size(); ++i)
            m_trace.operations[i].id = i + 1;
        const auto hasNumber = [](const Operation& operation) { return operation.number != 0; };
        if (m_trace.areNumbered && std::ranges::none_of(m_trace.operations, hasNumber))
            count();
        return std::move(m_trace);
    }

private:
    void readAbout()
    {
        const Json* about = memberOf(m_json, "distributedInfo");
        if (about == nullptr)
            return;
        m_trace.rank = rankOf(*about, "rank");
        m_trace.worldSize = std::max(0, rankOf(*about, "world_size"));
        const Json* groups = memberOf(*about, "pg_config");
        if (groups == nullptr || !groups->is_array())
            return;
        for (const Json& group : *groups) {
            const Json* ranks = memberOf(group, "ranks");
            if (ranks != nullptr)
                groupCalled(textOf(group, "pg_name", ledger::LongestGroupName), ranksIn(*ranks));
        }
    }

    static int rankOf(const Json& object, const char* name)
    {
        const std::int64_t rank = numberOf(object, name, -1);
        return rank >= 0 && rank <= MostRanks ? static_cast<int>(rank) : -1;
    }

    std::uint32_t groupCalled(const std::string& name, const std::vector<int>& members)
    {
        const auto next = static_cast<std::uint32_t>(m_trace.groups.size());
        const auto [known, isNew] = m_groups.try_emplace(name, next);
        const std::uint32_t number = known->second;
        if (isNew)
            m_trace.groups.push_back({number, name, members});
        else if (m_trace.groups[number].members.empty())
            m_trace.groups[number].members = members;
        return number;
    }

    std::int64_t momentOf(const Json& event, const char* name) const
    {
        constexpr double LargestMicroseconds = 4e15;
        const Json* value = memberOf(event, name);
        if (value == nullptr || !value->is_number())
            return 0;
        const double microseconds = value->get<double>();
        return microseconds >= 0 && microseconds < LargestMicroseconds
                   ? std::llround(microseconds * 1000)
                   : 0;
    }

    void readEvent(const Json& event)
    {
        const std::string name = textOf(event, "name", 128);
        const Json* arguments = memberOf(event, "args");
        const Json nothing = Json::object();
        const Json& given = arguments == nullptr ? nothing : *arguments;
        Span span;
        span.fromNs = m_baseNs + momentOf(event, "ts");
        span.untilNs = span.fromNs + momentOf(event, "dur");
        if (span.fromNs <= 0 || !isMoment(span.fromNs) || !isMoment(span.untilNs))
            return;
        if (memberOf(given, "Collective name") != nullptr) {
            readNccl(given, span);
            if (span.kind != OperationKind::Other)
                (textOf(event, "cat", 32) == "kernel" ? m_kernels : m_launches).push_back(span);
            return;
        }
        const bool isCall = name.starts_with(CallPrefix);
        span.kind = kindCalled(
            std::string_view(name).substr(isCall ? CallPrefix.size() : GlooPrefix.size()));
        if (span.kind == OperationKind::Other)
            return;
        if (const Json* dims = memberOf(given, "Input Dims"))
            span.input = elementsOf(*dims);
        if (const Json* types = memberOf(given, "Input type");
            types != nullptr && types->is_array() && !types->empty() && types->front().is_string())
            span.type = typeCalled(types->front().get_ref<const std::string&>());
        if (isCall && ledger::isPointToPoint(span.kind))
            readPeer(given, span);
        (isCall ? m_calls : m_works).push_back(span);
    }

    /// ["", "", "1", "7"]: of send and recv the peer and the tag come last.
    static void readPeer(const Json& arguments, Span& span)
    {
        const Json* inputs = memberOf(arguments, "Concrete Inputs");
        if (inputs == nullptr || !inputs->is_array() || inputs->size() < 4)
            return;
        const Json named{{"peer", (*inputs)[2]}, {"tag", (*inputs)[3]}};
        span.peer = rankOf(named, "peer");
        span.tag = static_cast<int>(
            std::clamp<std::int64_t>(numberOf(named, "tag"), 0, std::numeric_limits<int>::max()));
    }

    void readNccl(const Json& arguments, Span& span)
    {
        span.kind = kindCalled(textOf(arguments, "Collective name", 64));
        span.group = textOf(arguments, "Process Group Name", ledger::LongestGroupName);
        span.type = typeCalled(textOf(arguments, "dtype", 32));
        span.input = countOf(arguments, "In msg nelems");
        span.output = countOf(arguments, "Out msg nelems");
        span.number = countOf(arguments, "Seq");
        if (const Json* ranks = memberOf(arguments, "Process Group Ranks"))
            span.members = ranksIn(*ranks);
        if (ledger::isPointToPoint(span.kind))
            span.peer =
                rankOf(arguments, span.kind == OperationKind::Send ? "Dst Rank" : "Src Rank");
        if (m_trace.rank < 0)
            m_trace.rank = rankOf(arguments, "Rank");
    }

    /// The calls are on the caller's thread, their works on gloo's: of each kind the first call is
    /// the first work's.
    void addGloo()
    {
        std::map<OperationKind, std::vector<const Span*>> works;
        std::map<OperationKind, size_t> calls;
        for (const Span& work : m_works)
            works[work.kind].push_back(&work);
        for (const Span& call : m_calls)
            ++calls[workOf(call.kind)];
        std::map<OperationKind, size_t> next;
        for (const Span& call : m_calls) {
            const OperationKind kind = workOf(call.kind);
            const std::vector<const Span*>& of = works[kind];
            const Span* work = of.size() == calls[kind] ? of[next[kind]++] : nullptr;
            Span whole = call;
            if (work != nullptr && work->input != 0) {
                whole.input = work->input;
                whole.type = work->type;
            }
            add(whole, work, ledger::Backend::Gloo);
        }
    }

    /// A kernel runs when its launch says, later; without kernels there is only the launch.
    void addNccl()
    {
        std::map<std::pair<std::string, OperationKind>, std::vector<const Span*>> kernels;
        for (const Span& kernel : m_kernels)
            kernels[{kernel.group, kernel.kind}].push_back(&kernel);
        std::map<std::pair<std::string, OperationKind>, size_t> launches;
        for (const Span& launch : m_launches)
            ++launches[{launch.group, launch.kind}];
        for (auto& [key, of] : kernels) {
            if (launches[key] == of.size())
                continue;
            for (const Span* kernel : of)
                add(*kernel, kernel, ledger::Backend::Nccl);
            std::erase_if(m_launches, [&key = key](const Span& launch) {
                return std::pair(launch.group, launch.kind) == key;
            });
        }
        std::map<std::pair<std::string, OperationKind>, size_t> next;
        for (const Span& launch : m_launches) {
            const auto key = std::pair(launch.group, launch.kind);
            const auto of = kernels.find(key);
            add(launch, of == kernels.end() ? nullptr : of->second[next[key]++],
                ledger::Backend::Nccl);
        }
    }

    void count()
    {
        m_trace.areCounted = true;
        std::map<std::tuple<std::uint32_t, OperationKind, int>, std::uint64_t> last;
        for (Operation& operation : m_trace.operations) {
            const bool isPair = ledger::isPointToPoint(operation.kind);
            operation.number =
                ++last[{operation.group, isPair ? operation.kind : OperationKind::Other,
                        isPair ? operation.peer : -1}];
        }
    }

    void add(const Span& call, const Span* work, ledger::Backend backend)
    {
        Operation operation{.kind = call.kind,
                            .type = call.type,
                            .backend = backend,
                            .outcome = Operation::Outcome::Done,
                            .group = groupCalled(call.group, call.members),
                            .peer = call.peer,
                            .tag = call.tag,
                            .number = call.number,
                            .enqueuedNs = call.fromNs};
        if (work != nullptr) {
            operation.startedNs = work->fromNs;
            operation.endedNs = work->untilNs;
        }
        const size_t ranks = std::max<size_t>(m_trace.groups[operation.group].members.size(), 1);
        operation.elements = call.input != 0 ? call.input : call.output;
        // Of gloo's scatter only the root says how much it is.
        if (call.kind != OperationKind::Scatter || backend != ledger::Backend::Gloo)
            operation.bytes = wholeElements(call.kind, call.input, call.output, ranks) *
                              ledger::sizeOf(call.type);
        m_trace.operations.push_back(operation);
    }

    const Json& m_json;
    const std::vector<Json>& m_events;
    ProfilerTrace m_trace;
    std::map<std::string, std::uint32_t> m_groups; ///< By name.
    std::int64_t m_baseNs = 0;
    Spans m_calls;
    Spans m_works;
    Spans m_launches;
    Spans m_kernels;
};

} // namespace

bool looksLikeProfilerTrace(std::string_view beginning)
{
    const size_t first = beginning.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || beginning[first] != '{')
        return false;
    return beginning.find("\"schemaVersion\"") != std::string_view::npos ||
           beginning.find("\"traceEvents\"") != std::string_view::npos ||
           beginning.find("\"distributedInfo\"") != std::string_view::npos;
}

Result<ProfilerTrace> parseProfilerTrace(std::string_view content)
{
    const WantedTrace trace = RM_TRY(parseTrace(content));
    return TraceReader(trace).read();
}

Result<ProfilerTrace> readProfilerTrace(const std::filesystem::path& file)
{
    const auto content = RM_TRY(UnpackedFile::open(file, LargestTrace));
    std::istream stream(content.get());
    auto parsed = parseTrace(stream);
    if (content->problem())
        return tl::unexpected(*content->problem());
    const WantedTrace trace = RM_TRY(std::move(parsed));
    return TraceReader(trace).read();
}

} // namespace ringmaster
