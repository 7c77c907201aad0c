#include "engine/collective/sweep/Sweep.h"

#include "engine/base/Codes.h"
#include "engine/collective/Codes.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <numeric>

namespace ringmaster::collective {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// How long a row is measured where the iterations aren't given, and how many they are then.
constexpr auto Moment = 200ms;
constexpr std::int64_t FewestIterations = 5;
constexpr std::int64_t MostIterations = 1000;

constexpr auto Timeout = 5min;

std::int64_t timed(SweepBenchmark& benchmark)
{
    const auto before = Clock::now();
    benchmark.run();
    return std::chrono::nanoseconds(Clock::now() - before).count();
}

std::string packed(const std::vector<std::int64_t>& numbers)
{
    const auto* bytes = reinterpret_cast<const char*>(numbers.data());
    return {bytes, numbers.size() * sizeof(std::int64_t)};
}

std::vector<std::int64_t> unpacked(const std::string& text)
{
    std::vector<std::int64_t> numbers(text.size() / sizeof(std::int64_t));
    std::memcpy(numbers.data(), text.data(), numbers.size() * sizeof(std::int64_t));
    return numbers;
}

/// The smallest value that `percent` of all aren't above.
std::int64_t percentile(const std::vector<std::int64_t>& sorted, size_t percent)
{
    return sorted[(sorted.size() * percent + 99) / 100 - 1];
}

/// An iteration takes as long as on its slowest rank; the loop, too.
void summarize(const std::vector<std::vector<std::int64_t>>& ranks, Measurement& row)
{
    std::vector<std::int64_t> slowest(ranks.front().size(), 0);
    std::int64_t total = 0;
    for (const auto& durations : ranks) {
        total =
            std::max(total, std::accumulate(durations.begin(), durations.end(), std::int64_t{}));
        for (size_t i = 0; i < std::min(slowest.size(), durations.size()); ++i)
            slowest[i] = std::max(slowest[i], durations[i]);
    }
    std::ranges::sort(slowest);
    row.iterations = static_cast<int>(slowest.size());
    row.timeNs = total / row.iterations;
    row.minNs = slowest.front();
    row.p50Ns = percentile(slowest, 50);
    row.p99Ns = percentile(slowest, 99);
}

} // namespace

Sweep::Sweep(SweepOptions options)
    : m_options(std::move(options))
    , m_exchange(m_options)
    , m_reporter(m_options.rank == 0 ? m_options.reportFile : std::string())
{
}

Result<void> Sweep::run()
{
    try {
        auto backends = RM_TRY(joinAll());
        std::uint64_t index = 0;
        for (const std::string& collective : m_options.collectives) {
            for (Joined& joined : backends) {
                for (const std::int64_t size : m_options.sizes)
                    RM_TRY(measureRow(joined, collective, size, {.index = index++}));
            }
        }
        m_exchange.barrier();
        return {};
    } catch (const std::exception& exception) {
        return fail(code::SweepFailed, {{"reason", reasonOf(exception)}});
    }
}

Result<std::vector<Sweep::Joined>> Sweep::joinAll()
{
    std::vector<Joined> joined;

    for (const std::string& name : m_options.backends) {
        if (auto backend = RM_TRY(join(name)))
            joined.push_back({name, *std::move(backend)});
    }
    if (joined.empty())
        return fail(code::SweepWithoutBackend);
    std::vector<std::string> names;
    for (const Joined& some : joined)
        names.push_back(some.name);
    m_reporter.began(names);
    return joined;
}

/// Nothing where no rank can have it.
Result<std::optional<SweepBackend>> Sweep::join(const std::string& name)
{
    auto backend = joinBackend(name, {.store = m_exchange.freshStore(name),
                                      .rank = m_options.rank,
                                      .ranks = m_options.ranks,
                                      .localRank = m_options.localRank,
                                      .timeout = Timeout});
    const std::string failure = backend ? "" : describe(backend.error());
    const Verdict verdict = RM_TRY(judge(failure, name));
    if (!verdict.isRefused)
        return *std::move(backend);
    m_reporter.leftOut(name, verdict.reason);
    return std::nullopt;
}

Result<void> Sweep::measureRow(Joined& joined, const std::string& collective, std::int64_t size,
                               Measurement row)
{
    const SweepBenchmark::Shape shape{.collective = collective,
                                      .type = m_options.type,
                                      .reduction = m_options.reduction,
                                      .rank = m_options.rank,
                                      .ranks = m_options.ranks};
    row.count = shape.countFor(size);
    row.bytes = shape.bytesOf(row.count);
    row.device = joined.backend.device.is_cuda() ? "cuda" : "cpu";
    if (row.count == 0) {
        row.problem =
            "too few bytes for " + std::to_string(shape.ranks) + " parts of " + shape.type;
        report(row);
        return {};
    }
    SweepBenchmark benchmark(shape, row.count, joined.backend);
    const Verdict verdict = RM_TRY(tryOut(benchmark, row.wrong));
    if (!verdict.isRefused) {
        measure(benchmark, row);
        if (collective != "sendrecv")
            row.algorithm = joined.backend.algorithm();
        report(row);
        return {};
    }
    row.problem = verdict.reason;
    report(row);
    // What a refused call has left in its group is anybody's guess.
    auto again = RM_TRY(join(joined.name));
    if (!again)
        return fail(code::BackendUnavailable,
                    {{"backend", joined.name}, {"reason", verdict.reason}});
    joined.backend = *std::move(again);
    return {};
}

/// The first run: does the backend take it, and is it right?
Result<Sweep::Verdict> Sweep::tryOut(SweepBenchmark& benchmark, std::int64_t& wrong)
{
    std::string failure;
    try {
        benchmark.fill();
        benchmark.run();
        wrong = m_options.isChecked ? benchmark.wrong() : -1;
    } catch (const std::exception& exception) {
        failure = reasonOf(exception);
    }
    const Verdict verdict = RM_TRY(judge(failure, "the first run"));
    if (!verdict.isRefused && m_options.isChecked) {
        std::int64_t sum = 0;
        for (const std::string& one : m_exchange.collect(packed({wrong})))
            sum += unpacked(one).front();
        wrong = sum;
    }
    return verdict;
}

Result<Sweep::Verdict> Sweep::judge(const std::string& failure, const std::string& what)
{
    const auto all = m_exchange.exchange(failure);
    const auto failed = std::ranges::count_if(all, [](const auto& one) { return !one.empty(); });
    if (failed == 0)
        return Verdict{};
    const auto first = std::ranges::find_if(all, [](const auto& one) { return !one.empty(); });
    if (static_cast<size_t>(failed) == all.size())
        return Verdict{.isRefused = true, .reason = *first};
    return fail(
        code::SweepPartlyFailed,
        {{"what", what}, {"rank", std::to_string(first - all.begin())}, {"reason", *first}});
}

int Sweep::iterationsFor(SweepBenchmark& benchmark)
{
    auto quickest = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < std::max(m_options.warmup, 1); ++i)
        quickest = std::min(quickest, std::max<std::int64_t>(timed(benchmark), 1));
    if (m_options.iterations > 0)
        return m_options.iterations;
    const std::int64_t fitting = std::chrono::nanoseconds(Moment).count() / quickest;
    const std::string agreed =
        m_exchange.agree(std::to_string(std::clamp(fitting, FewestIterations, MostIterations)));
    int iterations = 0;
    std::from_chars(agreed.data(), agreed.data() + agreed.size(), iterations);
    return iterations;
}

void Sweep::measure(SweepBenchmark& benchmark, Measurement& row)
{
    std::vector<std::int64_t> durations(static_cast<size_t>(iterationsFor(benchmark)));
    m_exchange.barrier();
    for (std::int64_t& duration : durations)
        duration = timed(benchmark);
    const auto all = m_exchange.collect(packed(durations));
    if (all.empty())
        return;
    std::vector<std::vector<std::int64_t>> ranks;
    for (const std::string& one : all)
        ranks.push_back(unpacked(one));
    summarize(ranks, row);
}

void Sweep::report(const Measurement& row) const
{
    m_reporter.measured(row);
}

} // namespace ringmaster::collective
