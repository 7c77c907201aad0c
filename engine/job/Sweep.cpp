#include "engine/job/Sweep.h"

#include "engine/base/Codes.h"
#include "engine/base/Paths.h"
#include "engine/job/Codes.h"
#include "engine/job/JobOptions.h"
#include "engine/machine/MachineFacts.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <map>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

using Severity = Finding::Severity;

constexpr const char* Program = "ringmaster-sweep";
constexpr int MostRanks = 64;
constexpr size_t MostRows = 900; ///< What a run takes of its workers' reports is bounded.
constexpr std::int64_t MostBytes = std::int64_t{1} << 40U;

std::string mebibytes(std::int64_t bytes)
{
    return std::to_string((bytes + (1 << 20) - 1) >> 20U) + " MiB";
}

bool isIn(const std::vector<std::string>& choices, const std::string& value)
{
    return std::ranges::find(choices, value) != choices.end();
}

class Checker
{
public:
    Checker(const SweepRequest& request, const SweepFacts& facts)
        : m_request(request), m_facts(facts)
    {
    }

    std::vector<Finding> findings()
    {
        if (m_facts.program.empty())
            add("program", code::SweepNotBuilt,
                {{"path", (executableFolder() / Program).string()}});
        checkChoices("collectives", m_request.collectives, sweepCollectives());
        checkChoices("backends", m_request.backends, sweepBackends());
        checkChoices("type", {m_request.type}, sweepTypes());
        checkChoices("reduction", {m_request.reduction}, sweepReductions());
        checkChoices("algorithm", {m_request.algorithm}, choicesOf("ring_algorithm"));
        checkNumbers();
        checkNccl();
        if (m_findings.empty())
            checkExtent();
        std::ranges::stable_sort(m_findings, std::ranges::greater(), &Finding::severity);
        return std::move(m_findings);
    }

private:
    void add(const char* field, Code code, Parameters parameters,
             Severity severity = Severity::Error)
    {
        m_findings.push_back({severity, {code, std::move(parameters), {}}, {.field = field}});
    }

    void checkChoices(const char* field, const std::vector<std::string>& values,
                      const std::vector<std::string>& choices)
    {
        if (values.empty())
            add(field, code::SweepOfNothing, {{"what", field}});
        for (const std::string& value : values) {
            if (!isIn(choices, value))
                add(field, code::SweepChoiceUnknown,
                    {{"what", field}, {"value", value}, {"choices", join(choices, ", ")}});
            else if (std::ranges::count(values, value) > 1)
                return add(field, code::SweepChoiceTwice, {{"what", field}, {"value", value}});
        }
    }

    void checkRange(const char* field, std::int64_t value, std::int64_t least, std::int64_t most)
    {
        if (value < least || value > most)
            add(field, code::SweepOutOfRange,
                {{"what", field},
                 {"value", std::to_string(value)},
                 {"least", std::to_string(least)},
                 {"most", std::to_string(most)}});
    }

    void checkNumbers()
    {
        checkRange("smallest", m_request.smallest, 1, MostBytes);
        checkRange("largest", m_request.largest, std::max<std::int64_t>(m_request.smallest, 1),
                   MostBytes);
        checkRange("factor", m_request.factor, 2, 1024);
        checkRange("ranks", m_request.ranks, m_request.hosts.size() > 1 ? 1 : 2, MostRanks);
        if (m_request.isCalibration && !m_request.hosts.empty() && m_request.hosts.size() != 2)
            add("hosts", code::CalibrationOfPairs,
                {{"count", std::to_string(m_request.hosts.size())}});
        checkRange("iterations", m_request.iterations, 0, 100'000);
        checkRange("warmup", m_request.warmup, 0, 10'000);
    }

    /// Beside other backends a missing one is left out.
    void checkNccl()
    {
        if (!isIn(m_request.backends, "nccl"))
            return;
        if (!m_request.hosts.empty())
            return; // what there is, they say themselves
        const auto severity = m_request.backends.size() == 1 ? Severity::Error : Severity::Warning;
        if (!m_facts.hasNccl)
            add("backends", code::SweepWithoutNccl, {}, severity);
        else if (m_facts.gpus == 0)
            add("backends", code::SweepWithoutGpu, {}, severity);
        else if (m_facts.gpus < m_request.ranks && m_request.sharesGpus)
            add("backends", code::SweepSharesGpus,
                {{"ranks", std::to_string(m_request.ranks)},
                 {"count", std::to_string(m_facts.gpus)}},
                Severity::Warning);
        else if (m_facts.gpus < m_request.ranks)
            add("backends", code::NcclNeedsGpuEach,
                {{"workers", std::to_string(m_request.ranks)},
                 {"count", std::to_string(m_facts.gpus)}},
                severity);
    }

    void checkExtent()
    {
        const size_t rows =
            m_request.collectives.size() * m_request.backends.size() * m_request.sizes().size();
        if (rows > MostRows)
            add("collectives", code::SweepTooLong,
                {{"rows", std::to_string(rows)}, {"most", std::to_string(MostRows)}});
        const std::int64_t needed = sweepMemory(m_request);
        const bool isHere = m_request.hosts.empty();
        if (isHere && m_facts.freeBytes > 0 && needed > m_facts.freeBytes)
            add("largest", code::SweepTooLarge,
                {{"size", mebibytes(m_request.largest)},
                 {"ranks", std::to_string(m_request.ranks)},
                 {"needed", mebibytes(needed)},
                 {"free", mebibytes(m_facts.freeBytes)}});
    }

    const SweepRequest& m_request;
    const SweepFacts& m_facts;
    std::vector<Finding> m_findings;
};

template <class Number>
bool readNumber(const std::string& text, Number& number)
{
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end;
}

/// What the workers' command line has, both ways.
template <class Request, class Visit>
void visitOptions(Request& request, const Visit& visit)
{
    visit("--collective", request.collectives);
    visit("--backend", request.backends);
    visit("--min", request.smallest);
    visit("--max", request.largest);
    visit("--factor", request.factor);
    visit("--type", request.type);
    visit("--op", request.reduction);
    visit("--iterations", request.iterations);
    visit("--warmup", request.warmup);
    visit("--check", request.isChecked);
    visit("--calibration", request.isCalibration);
    // For whoever reads the request again; its workers see for themselves that they share.
    visit.flag("--share-gpus", request.sharesGpus);
}

struct Writer
{
    std::vector<std::string>& arguments;

    void add(const char* name, std::string value) const
    {
        arguments.emplace_back(name);
        arguments.push_back(std::move(value));
    }
    void operator()(const char* name, const std::string& value) const { add(name, value); }
    void operator()(const char* name, const std::vector<std::string>& values) const
    {
        add(name, join(values, ","));
    }
    void operator()(const char* name, bool value) const { add(name, value ? "1" : "0"); }
    void flag(const char* name, bool value) const
    {
        if (value)
            add(name, "1");
    }
    template <std::integral Number>
    void operator()(const char* name, Number value) const
    {
        add(name, std::to_string(value));
    }
};

struct Reader
{
    const std::map<std::string, std::string>& given;
    bool& isComplete;

    template <class Read>
    void read(const char* name, const Read& readValue) const
    {
        const auto found = given.find(name);
        isComplete = isComplete && found != given.end() && readValue(found->second);
    }
    void operator()(const char* name, std::string& value) const
    {
        read(name, [&](const std::string& text) { return !(value = text).empty(); });
    }
    void operator()(const char* name, std::vector<std::string>& values) const
    {
        read(name, [&](const std::string& text) { return !(values = split(text, ',')).empty(); });
    }
    void operator()(const char* name, bool& value) const
    {
        read(name, [&](const std::string& text) {
            value = text == "1";
            return value || text == "0";
        });
    }
    void flag(const char* name, bool& value) const { value = given.contains(name); }
    template <class Number>
    void operator()(const char* name, Number& value) const
    {
        read(name, [&](const std::string& text) { return readNumber(text, value); });
    }
};

} // namespace

std::vector<std::int64_t> SweepRequest::sizes() const
{
    std::vector<std::int64_t> all;
    if (smallest < 1 || factor < 2)
        return all;
    for (std::int64_t size = smallest; size <= largest; size *= factor) {
        all.push_back(size);
        if (size > largest / factor)
            break;
    }
    return all;
}

SweepRequest calibrationRequest(int ranks, std::vector<std::string> backends,
                                std::vector<std::string> hosts)
{
    return {.collectives = {"all_reduce", "all_gather", "reduce_scatter", "broadcast"},
            .backends = std::move(backends),
            .smallest = std::int64_t{64} << 10U,
            .largest = std::int64_t{16} << 20U,
            .factor = 16,
            .ranks = ranks,
            .hosts = std::move(hosts),
            .warmup = 2,
            .isChecked = false,
            .isCalibration = true};
}

SweepFacts sweepFacts(int gpus)
{
    return {.program = helperFile(Program).value_or(fs::path()),
            .hasNccl = helperFile("ringmaster-sweep-nccl.so").has_value(),
            .gpus = gpus,
            .freeBytes = availableMemory()};
}

const std::vector<std::string>& sweepCollectives()
{
    static const std::vector<std::string> names{"all_reduce", "all_gather", "reduce_scatter",
                                                "broadcast",  "reduce",     "all_to_all",
                                                "sendrecv",   "gather",     "scatter"};
    return names;
}

const std::vector<std::string>& sweepBackends()
{
    static const std::vector<std::string> names = choicesOf("backend");
    return names;
}

const std::vector<std::string>& sweepTypes()
{
    static const std::vector<std::string> names{"float32", "float16", "bfloat16", "float64",
                                                "int8",    "uint8",   "int32",    "int64"};
    return names;
}

const std::vector<std::string>& sweepReductions()
{
    static const std::vector<std::string> names{"sum", "product", "min", "max", "avg"};
    return names;
}

std::int64_t sweepMemory(const SweepRequest& request)
{
    // Input, output and what a backend lays beside them; and libtorch's own pages.
    constexpr std::int64_t Tensors = 3;
    constexpr std::int64_t Process = std::int64_t{100} << 20U;
    return request.ranks * (Tensors * request.largest + Process);
}

std::vector<Finding> validate(const SweepRequest& request, const SweepFacts& facts)
{
    return Checker(request, facts).findings();
}

JobSpec sweepJob(const SweepRequest& request, const SweepFacts& facts)
{
    JobSpec spec;
    spec.name = (request.isCalibration ? "calibration " : "sweep ") +
                join(request.collectives, ",") + " " + join(request.backends, ",");
    if (!request.hosts.empty())
        spec.name += " between " + join(request.hosts, ",");
    Role& role = spec.roles.front();
    role.kind = ProgramKind::Command;
    role.program = facts.program.string();
    visitOptions(request, Writer{role.arguments});
    role.workers.number = request.ranks;
    role.environment["OMP_NUM_THREADS"] = "1";
    spec.hosts = request.hosts;
    spec.rendezvous.method = RendezvousMethod::C10d;
    spec.rendezvous.standalone = request.hosts.empty();
    spec.ringAlgorithm = request.algorithm;
    spec.warm = WarmMode::Off;
    return spec;
}

std::optional<SweepRequest> sweepOf(const JobSpec& spec)
{
    const Role& role = spec.roles.front();
    if (role.kind != ProgramKind::Command || fs::path(role.program).filename() != Program)
        return std::nullopt;
    std::map<std::string, std::string> given;
    for (size_t i = 0; i + 1 < role.arguments.size(); i += 2)
        given[role.arguments[i]] = role.arguments[i + 1];
    SweepRequest request{
        .ranks = role.workers.number, .hosts = spec.hosts, .algorithm = spec.ringAlgorithm};
    bool isComplete = true;
    visitOptions(request, Reader{given, isComplete});
    return isComplete ? std::optional(request) : std::nullopt;
}

} // namespace ringmaster
