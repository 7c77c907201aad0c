// bench_ledger [SECONDS]: what the ledger costs and how much it takes. Prints figures; nothing
// passes or fails.

#include "engine/ledger/LedgerWriter.h"
#include "engine/node/Codes.h"
#include "engine/node/LedgerRecorder.h"
#include "engine/record/RunFileReader.h"
#include "engine/worker/hook/StartHook.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

using namespace ringmaster;
using namespace ringmaster::ledger;
namespace fs = std::filesystem;
using Steady = std::chrono::steady_clock;

namespace {

void ownCallSite()
{
    const LedgerSegment segment = LedgerSegment::create({.run = "bench"}).value();
    const auto writer = LedgerWriter::attach(segment.path().c_str(), Recorder::CallSites).writer;
    Call call;
    call.kind = OperationKind::AllReduce;
    constexpr int Operations = 1'000'000;
    const std::int64_t before = monotonicNs();
    for (int i = 0; i < Operations; ++i) {
        ++call.number;
        const std::int64_t enqueued = monotonicNs();
        const std::uint64_t operation = writer->begin(call, enqueued);
        writer->end(operation, call, enqueued, enqueued, monotonicNs());
    }
    const double each = double(monotonicNs() - before) / (2.0 * Operations);
    std::printf("own call site: %.1f ns a record, its clock included\n", each);
}

/// Writes `rate` records a second for `seconds`, as evenly as a thread can.
void writeEvenly(const std::string& path, const std::string& bell, int rate, int seconds)
{
    auto attached = LedgerWriter::attach(path.c_str(), Recorder::CallSites);
    attached.writer->setBell(::open(bell.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    Call call;
    call.kind = OperationKind::AllReduce;
    call.bytes = 4096;
    const auto begin = Steady::now();
    for (std::int64_t written = 0; written < std::int64_t(rate) * seconds; written += 2) {
        ++call.number;
        const std::int64_t now = monotonicNs();
        const std::uint64_t operation = attached.writer->begin(call, now);
        attached.writer->end(operation, call, now, now, now + 1000);
        if (written % 1000 == 0)
            std::this_thread::sleep_until(begin + std::chrono::nanoseconds(std::int64_t(
                                                      double(written) * 1e9 / double(rate))));
    }
}

void flood(int seconds)
{
    constexpr int Workers = 8;
    constexpr int Rate = 125'000;
    const fs::path folder =
        fs::temp_directory_path() / ("bench_ledger-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    std::atomic<std::uint64_t> lost{0};
    {
        const auto file = RunFileWriter::open(folder / "run.ringrun", {.run = "bench"}).value();
        AttemptStarted attempt;
        for (int rank = 0; rank < Workers; ++rank)
            attempt.workers.push_back({.localRank = rank, .globalRank = rank});
        RankActivityCache board;
        LedgerRecorder recorder(
            {.run = "bench",
             .reportFile = folder / "hook.jsonl",
             .tell =
                 [&](const EventBody& body) {
                     const auto* notice = std::get_if<Notice>(&body);
                     if (notice != nullptr && notice->message.code == code::LedgerRecordsLost)
                         lost += std::strtoull(notice->message.parameters.at("count").c_str(),
                                               nullptr, 10);
                 }},
            *file, board);
        recorder.attemptStarted(attempt);
        std::vector<std::thread> threads;
        for (int rank = 0; rank < Workers; ++rank) {
            const std::string value = recorder.ledgerOf(rank);
            const size_t comma = value.find(',');
            threads.emplace_back(writeEvenly, value.substr(0, comma), value.substr(comma + 1), Rate,
                                 seconds);
        }
        for (std::thread& thread : threads)
            thread.join();
    }
    const auto reader = RunFileReader::open(folder / "run.ringrun").value();
    std::uint64_t kept = 0;
    for (std::uint64_t cursor = 0;;) {
        const auto page = reader.operations(cursor).value();
        if (page.rows.empty())
            break;
        for (const OperationRow& row : page.rows)
            kept += row.count;
        cursor = page.cursor;
    }
    const double asked = double(Workers) * Rate * seconds;
    std::printf("%d workers, %.0f records a second for %d s: %.0f written, %llu operations kept, "
                "%llu records lost (%.2f %%), run file %.1f MB\n",
                Workers, double(Workers) * Rate, seconds, asked,
                static_cast<unsigned long long>(kept), static_cast<unsigned long long>(lost.load()),
                double(lost.load()) / asked * 100,
                double(fs::file_size(folder / "run.ringrun")) / 1e6);
    fs::remove_all(folder);
}

/// Microseconds of CPU time a collective, as the program printed it.
double collectiveCost(const std::string& interpreter, const std::string& hook)
{
    const std::string store =
        fs::temp_directory_path() / ("bench_store-" + std::to_string(::getpid()));
    fs::remove(store);
    const std::string command = "STORE=" + store + " " + hook + " " + interpreter +
                                " " RINGMASTER_SOURCE_DIR "/tests/bench/ledger/collective_cost.py";
    FILE* output = ::popen(command.c_str(), "r");
    double microseconds = 0;
    if (output == nullptr || std::fscanf(output, "%lf", &microseconds) != 1)
        microseconds = -1;
    ::pclose(output);
    fs::remove(store);
    return microseconds;
}

void unmodifiedProgram(const std::string& interpreter, int rounds)
{
    std::vector<double> without;
    std::vector<double> with;
    for (int round = 0; round < rounds; ++round) {
        without.push_back(collectiveCost(interpreter, ""));
        const LedgerSegment segment = LedgerSegment::create({.run = "bench"}).value();
        with.push_back(collectiveCost(
            interpreter, "PYTHONPATH=" + hookStartFolder()->string() + " RINGMASTER_HOOK='" +
                             hookText({{"ledger", segment.path() + ","}}) + "'"));
    }
    std::ranges::sort(without);
    std::ranges::sort(with);
    const size_t middle = without.size() / 2;
    std::printf("gloo all_reduce of 1 KiB, CPU us: %.1f without, %.1f with (medians of %d); best "
                "%.1f and %.1f\n",
                without[middle], with[middle], rounds, without[0], with[0]);
}

} // namespace

int main(int count, char** arguments)
{
    const int seconds = count > 1 ? std::atoi(arguments[1]) : 10;
    ownCallSite();
    flood(seconds);
    if (const char* interpreter = std::getenv("RINGMASTER_PYTHON"))
        unmodifiedProgram(interpreter, 5);
}
