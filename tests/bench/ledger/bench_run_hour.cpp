// bench_run_hour [HOURS]: what a job of eight ranks with a hundred operations a second each leaves
// in its run file, in simulated time, and how long that takes to open. Prints figures; nothing
// passes or fails.

#include "engine/control/OperationTally.h"
#include "engine/diagnose/OperationAggregator.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/node/FoldRows.h"
#include "engine/record/RunFileReader.h"
#include "engine/record/RunFileWriter.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>

#include <unistd.h>

using namespace ringmaster;
namespace fs = std::filesystem;
using Steady = std::chrono::steady_clock;

namespace {

constexpr int Ranks = 8;
constexpr int Rate = 100;
constexpr std::int64_t Second = 1'000'000'000;
constexpr std::int64_t Begin = 1'000'000 * Second;
constexpr int BlockSeconds = 2;

struct SimulatedClock : Clock
{
    std::atomic<std::int64_t> ns{Begin};
    Moment now() const override { return {ns, ns}; }
};

/// Eight buckets a step of a training in DDP, with noise in the times as real ones have it.
OperationBatch blockOf(int rank, std::int64_t fromNs, std::uint64_t& number,
                       std::mt19937_64& random)
{
    OperationBatch batch{.rank = rank,
                         .groups = {{0, "0", {0, 1, 2, 3, 4, 5, 6, 7}}},
                         .sites = {{1, "/home/me/project/train.py", "step", 88}}};
    for (int i = 0; i < Rate * BlockSeconds; ++i) {
        const std::int64_t enteredNs =
            fromNs + i * (Second / Rate) + static_cast<std::int64_t>(random() % 2'000'000);
        const auto elements = static_cast<std::uint64_t>(number % 8 + 1) * 500'000;
        batch.operations.push_back(
            {.id = 2 * number,
             .kind = ledger::OperationKind::AllReduce,
             .type = ledger::DataType::Float32,
             .reduction = ledger::Reduction::Sum,
             .caller = ledger::Caller::GoesOn,
             .backend = ledger::Backend::Gloo,
             .outcome = Operation::Outcome::Done,
             .number = number + 1,
             .bytes = elements * 4,
             .elements = elements,
             .site = 1,
             .enqueuedNs = enteredNs,
             .startedNs = enteredNs + static_cast<std::int64_t>(random() % 40'000),
             .endedNs = enteredNs + 3'000'000 + static_cast<std::int64_t>(random() % 1'000'000)});
        ++number;
    }
    return batch;
}

void write(const fs::path& file, double hours)
{
    SimulatedClock clock;
    const auto writer = RunFileWriter::open(file, {.run = "bench", .clock = &clock}).value();
    diagnose::OperationAggregator folder;
    std::mt19937_64 random(1);
    std::uint64_t numbers[Ranks] = {};
    std::uint64_t sequence = 0;
    const auto seconds = static_cast<int>(hours * 3600);
    for (int at = 0; at < seconds; at += BlockSeconds) {
        clock.ns = Begin + (at + BlockSeconds) * Second;
        for (int rank = 0; rank < Ranks; ++rank) {
            const OperationBatch batch = blockOf(rank, Begin + at * Second, numbers[rank], random);
            folder.add(batch);
            writer->appendOperations({.globalRank = rank,
                                      .firstNs = batch.operations.front().enqueuedNs,
                                      .lastNs = batch.operations.back().endedNs,
                                      .count = batch.operations.size(),
                                      .wallNs = clock.ns,
                                      .block = packOperations(batch)});
            for (int sample = 0; sample < BlockSeconds; ++sample) {
                Event event;
                event.runSequence = ++sequence;
                event.id = {"bench", "agent", sequence};
                event.node = "node";
                event.clock = "boot";
                event.at = clock.now();
                event.body = ProcessSample{.globalRank = rank, .cpuFraction = 0.97};
                writer->append(std::move(event));
            }
        }
        appendFolds(*writer, folder.take(clock.ns));
        if (at % 60 == 0)
            (void)writer->flush();
    }
    appendFolds(*writer, folder.takeAll());
    (void)writer->finish();
}

double milliseconds(Steady::time_point since)
{
    return std::chrono::duration<double, std::milli>(Steady::now() - since).count();
}

void read(const fs::path& file)
{
    const auto began = Steady::now();
    const auto reader = RunFileReader::open(file).value();
    const RunSnapshot snapshot = reader.snapshot().value();
    const double opened = milliseconds(began);
    OperationTally tally;
    const auto folded = reader.foldedOperations().value();
    tally.setFoldedBefore(folded.beforeNs);
    for (const FoldRow& row : folded.rows)
        tally.add(unpackFold(row.block).value());
    double first = 0;
    for (std::uint64_t cursor = 0;;) {
        const auto page = reader.operations(cursor, 64).value();
        if (page.rows.empty())
            break;
        for (const OperationRow& row : page.rows)
            tally.add(unpackOperations(row.block).value());
        cursor = page.cursor;
        if (first == 0)
            first = milliseconds(began);
    }
    const OperationSummary summary = tally.summary();
    std::printf("opened in %.0f ms, first operations after %.0f ms, all %llu (%.0f min of them as "
                "sums) after %.0f ms\n",
                opened, first, static_cast<unsigned long long>(summary.operations),
                double(summary.foldedNs) / 60e9, milliseconds(began));
}

} // namespace

int main(int count, char** arguments)
{
    const double hours = count > 1 ? std::atof(arguments[1]) : 1;
    const fs::path folder =
        fs::temp_directory_path() / ("bench_run_hour-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    const fs::path file = folder / "run.ringrun";
    const auto began = Steady::now();
    write(file, hours);
    std::printf(
        "%g h, %d ranks, %d operations a second each: run file %.1f MB (written in %.0f s)\n",
        hours, Ranks, Rate, double(fs::file_size(file)) / 1e6, milliseconds(began) / 1e3);
    read(file);
    fs::remove_all(folder);
}
