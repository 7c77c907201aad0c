#include "ScenarioParts.h"

namespace ringmaster::diagnose {

namespace {

/// One rank calls something else than the others.
Recording oddCall(const Call& usual, const Call& odd)
{
    return afterTraining(3, 8, [&](Simulation& job) {
        job.calls(0, usual);
        job.calls(1, usual);
        job.calls(2, odd);
    });
}

std::vector<JobScenario> hangs()
{
    return {
        {"stopped", nullptr, {"hang HangStopped 1"}},
        {"order", nullptr, {"hang HangCycle 0,1"}},
        {"both_receive", nullptr, {"hang HangCycle 0,1"}},
        {"sleeper", nullptr, {"hang HangIdle 1"}},
        {"a rank of eight is stopped",
         [] {
             return afterTraining(8, 12, [](Simulation& job) {
                 job.stops(5);
                 train(job, 5);
             });
         },
         {"hang HangStopped 5"}},
        {"a rank has ended and the others wait",
         [] {
             return afterTraining(4, 12, [](Simulation& job) {
                 job.dies(2);
                 train(job, 5);
             });
         },
         {"hang HangDead 2"}},
        {"stopped inside an operation that all have entered",
         [] {
             return afterTraining(3, 80, [](Simulation& job) {
                 job.transferTakes(1000);
                 for (const int rank : {0, 1, 2})
                     job.begins(rank, Sum);
                 job.stops(2);
                 job.waits(0);
                 job.waits(1);
             });
         },
         {"hang HangStoppedInside 2"}},
        {"dead inside an operation that all have entered",
         [] {
             return afterTraining(3, 20, [](Simulation& job) {
                 job.transferTakes(1000);
                 for (const int rank : {0, 1, 2})
                     job.begins(rank, Sum);
                 job.dies(1);
                 job.waits(0);
                 job.waits(2);
             });
         },
         {"hang HangDeadInside 1"}},
        {"all are inside and nothing moves",
         [] {
             return afterTraining(2, 90, [](Simulation& job) {
                 job.transferTakes(1000);
                 job.together(Sum);
             });
         },
         {"hang HangInside"}},
        {"a lock is never had",
         [] {
             return afterTraining(4, 40, [](Simulation& job) {
                 job.sleeps(3, 600);
                 train(job, 5);
             });
         },
         {"hang HangIdle 3"}},
        {"two groups in opposite order",
         [] {
             Simulation job(2);
             job.group(1, "a", {0, 1});
             job.group(2, "b", {0, 1});
             train(job, 20);
             for (const std::uint32_t group : {1U, 2U}) {
                 job.calls(0, {.group = group});
                 job.calls(1, {.group = 3 - group});
             }
             return job.run(12);
         },
         {"hang HangCycle 0,1"}},
        {"a circle over three groups",
         [] {
             Simulation job(3);
             job.group(1, "a", {0, 1});
             job.group(2, "b", {1, 2});
             job.group(3, "c", {0, 2});
             train(job, 20);
             job.calls(0, {.group = 1});
             job.calls(1, {.group = 2});
             job.calls(2, {.group = 3});
             return job.run(12);
         },
         {"hang HangCycle 0-2"}},
        {"the default group and a half are out of step",
         [] {
             Simulation job(4);
             job.group(1, "half", {2, 3});
             train(job, 20);
             for (const int rank : {0, 1, 2})
                 job.calls(rank, Sum);
             job.calls(3, {.group = 1});
             return job.run(12);
         },
         {"hang HangCycle 2,3"}},
        {"a chain of groups whose end is stopped",
         [] {
             Simulation job(4);
             job.group(1, "a", {0, 1});
             job.group(2, "b", {1, 2});
             job.group(3, "c", {2, 3});
             train(job, 20);
             job.stops(3);
             job.calls(0, {.group = 1});
             job.calls(1, {.group = 2});
             job.calls(2, {.group = 3});
             return job.run(12);
         },
         {"hang HangStopped 3"}},
        {"a chain of groups whose end does nothing",
         [] {
             Simulation job(3);
             job.group(1, "a", {0, 1});
             job.group(2, "b", {1, 2});
             train(job, 20);
             job.sleeps(2, 600);
             job.calls(0, {.group = 1});
             job.calls(1, {.group = 2});
             return job.run(30);
         },
         {"hang HangIdle 2"}},
        {"each sends to the next before it receives",
         [] {
             return afterTraining(3, 12, [](Simulation& job) {
                 for (const int rank : {0, 1, 2})
                     job.calls(rank, pairCall(OperationKind::Send, (rank + 1) % 3));
             });
         },
         {"hang HangCycle 0-2"}},
        {"a receive whose sender does nothing",
         [] {
             return afterTraining(2, 40, [](Simulation& job) {
                 job.calls(0, pairCall(OperationKind::Receive, 1));
                 job.sleeps(1, 600);
             });
         },
         {"hang HangIdle 1"}},
        {"the root of a broadcast is stopped",
         [] {
             return afterTraining(3, 12, [](Simulation& job) {
                 job.stops(0);
                 job.together(RootZero);
             });
         },
         {"hang HangStopped 0"}},
    };
}

/// A rank of three waits so for ever.
Recording stuck(const ProcessWait& wait, const std::string& file = "/home/me/data.py")
{
    return afterTraining(3, 30, [&](Simulation& job) {
        job.waitsIn(2, 600, wait, file);
        train(job, 5);
    });
}

/// What a rank that does nothing waits for, by the system.
std::vector<JobScenario> stuckPlaces()
{
    using Kind = ProcessWait::Kind;
    using State = ProcessWait::Child::State;
    static const QStringList Guilty{"hang HangIdle 2"};
    return {
        {"in a lock", [] { return stuck(ProcessWait{.kind = Kind::Lock}); }, Guilty},
        {"in a FIFO without a writer", [] { return stuck(ProcessWait{.kind = Kind::Fifo}); },
         Guilty},
        {"in a pipe that nothing comes through",
         [] { return stuck(ProcessWait{.kind = Kind::Pipe}); }, Guilty},
        {"in a pipe that nobody reads",
         [] { return stuck(ProcessWait{.kind = Kind::Pipe, .isWriting = true}); }, Guilty},
        {"at a socket that nothing comes through",
         [] {
             return stuck(ProcessWait{
                 .kind = Kind::Socket, .name = "10.0.0.1:443", .bytes = 0, .spanNs = 5 * Second});
         },
         Guilty},
        {"at a socket of which nothing is known",
         [] { return stuck(ProcessWait{.kind = Kind::Socket}); }, Guilty},
        {"in the lock of a file",
         [] { return stuck(ProcessWait{.kind = Kind::FileLock, .name = "/home/me/.lock"}); },
         Guilty},
        {"in the lock of a file that a rank has who waits",
         [] {
             return stuck(ProcessWait{
                 .kind = Kind::FileLock, .name = "/home/me/.lock", .holder = Simulation::pidOf(0)});
         },
         Guilty},
        {"in a sleep of an hour",
         [] {
             return stuck(ProcessWait{
                 .kind = Kind::Sleep, .leftNs = 3500 * Second, .sleepNs = 3590 * Second});
         },
         Guilty},
        {"in one short sleep after the other",
         [] { return stuck(ProcessWait{.kind = Kind::Sleep}); }, Guilty},
        {"in a place of which the system says nothing", [] { return stuck(ProcessWait{}); },
         Guilty},
        {"in a driver that doesn't answer",
         [] { return stuck(ProcessWait{.kind = Kind::Device, .name = "/dev/nvidia0"}); }, Guilty},
        {"for a child that is stopped",
         [] { return stuck(waitsFor({.command = "rsync", .state = State::Stopped})); }, Guilty},
        {"for a child of its own program that does nothing",
         [] { return stuck(waitsFor({.isCopy = true, .isAtWork = false})); }, Guilty},
        {"for a DataLoader worker that does nothing",
         [] {
             return stuck(ProcessWait{.kind = Kind::Pipe,
                                      .children = {{.pid = 4711,
                                                    .isCopy = true,
                                                    .isLoaderWorker = true,
                                                    .isAtWork = false}}},
                          "/venv/lib/python3.11/site-packages/torch/utils/data/dataloader.py");
         },
         Guilty},
        {"for a DataLoader worker that was killed",
         [] {
             return stuck(ProcessWait{.kind = Kind::Lock,
                                      .children = {{.pid = 4711,
                                                    .state = State::Ended,
                                                    .signal = 9,
                                                    .isLoaderWorker = true}}},
                          "/venv/lib/python3.11/site-packages/torch/utils/data/dataloader.py");
         },
         Guilty},
        {"for the queue of a child that was killed",
         [] {
             return stuck(
                 ProcessWait{.kind = Kind::Pipe,
                             .children = {{.pid = 4711, .state = State::Ended, .signal = 9}}});
         },
         Guilty},
        {"in a lock, with a child that nobody waits for",
         [] {
             return stuck(ProcessWait{.kind = Kind::Lock,
                                      .children = {{.pid = 4711, .command = "nvidia-smi -l"}}});
         },
         Guilty},
        {"in a save for more than a minute",
         [] {
             return afterTraining(3, 90, [&](Simulation& job) {
                 job.waitsIn(2, 600, {.kind = Kind::Lock},
                             "/venv/lib/python3.11/site-packages/torch/serialization.py");
                 train(job, 5);
             });
         },
         Guilty},
        {"one in a lock, one for a child that works",
         [] {
             return afterTraining(4, 30, [&](Simulation& job) {
                 job.waitsIn(1, 600, waitsFor({.command = "sleep 600"}));
                 job.waitsIn(2, 600, {.kind = Kind::Lock});
                 train(job, 5);
             });
         },
         Guilty},
    };
}

std::vector<JobScenario> mismatches()
{
    return {
        {"shape", nullptr, {"mismatch MismatchRanks 2"}},
        {"type", nullptr, {"mismatch MismatchRanks 2"}},
        {"operation", nullptr, {"mismatch MismatchRanks 2"}},
        {"root", nullptr, {"mismatch MismatchRanks 2"}},
        {"another size",
         [] { return oddCall(Sum, {.elements = 10}); },
         {"mismatch MismatchRanks 2"}},
        {"another reduction",
         [] { return oddCall(Sum, {.reduction = Reduction::Max}); },
         {"mismatch MismatchRanks 2"}},
        {"another type of the same size",
         [] { return oddCall(Sum, {.type = DataType::Int32}); },
         {"mismatch MismatchRanks 2"}},
        {"another operation", [] { return oddCall(Sum, Barrier); }, {"mismatch MismatchRanks 2"}},
        {"two against two",
         [] {
             return afterTraining(4, 8, [](Simulation& job) {
                 for (const int rank : {0, 1, 2, 3})
                     job.calls(rank, rank < 2 ? Sum : Barrier);
             });
         },
         {"mismatch MismatchRanks 0-3"}},
        {"one of eight has another order",
         [] {
             return afterTraining(8, 8, [](Simulation& job) {
                 for (int rank = 0; rank < 8; ++rank) {
                     job.begins(rank, rank == 6 ? Large : Sum);
                     job.begins(rank, rank == 6 ? Sum : Large);
                     job.waits(rank);
                 }
             });
         },
         {"mismatch MismatchRanks 6"}},
        {"in one of two groups",
         [] {
             Simulation job(6);
             job.group(1, "left", {0, 1, 2});
             job.group(2, "right", {3, 4, 5});
             train(job, 20);
             job.together({.group = 1});
             for (const int rank : {3, 4, 5})
                 job.calls(rank, {.elements = rank == 4 ? 1U : 1000U, .group = 2});
             return job.run(8);
         },
         {"mismatch MismatchRanks 4"}},
        {"a call of a group that the rank isn't in",
         [] {
             Simulation job(3);
             job.group(1, "pair", {0, 1});
             train(job, 20);
             job.begins(2, {.group = 1});
             train(job, 20);
             return job.run(8);
         },
         {"mismatch OutsiderCalls 2"}},
    };
}

std::vector<JobScenario> slownesses()
{
    return {
        {"straggler", nullptr, {"straggler StragglerRank 1"}},
        {"straggler_of_four", nullptr, {"straggler StragglerRank 3"}},
        {"200 ms in one rank's backward",
         [] { return lateBy200Ms(4, [](int, int rank) { return rank == 2; }); },
         {"straggler StragglerRank 2"}},
        {"the same among eight with seven buckets",
         [] {
             return lateBy200Ms(
                 8, [](int, int rank) { return rank == 5; }, 7);
         },
         {"straggler StragglerRank 5"}},
        {"late in two of three steps",
         [] {
             return lateBy200Ms(4, [](int step, int rank) { return rank == 0 && step % 3 != 0; });
         },
         {"straggler StragglerRank 0"}},
        {"late in one group only",
         [] {
             Simulation job(4);
             job.group(1, "left", {0, 1});
             job.group(2, "right", {2, 3});
             for (int step = 0; step < 60; ++step) {
                 for (int rank = 0; rank < 4; ++rank) {
                     job.computes(rank, 0.2 + job.noise(0.01) + (rank == 3 ? 0.1 : 0));
                     job.calls(rank, {.group = rank < 2 ? 1U : 2U});
                 }
             }
             return job.run(25);
         },
         {"straggler StragglerRank 3"}},
        {"late by a clock that is seven seconds ahead",
         [] {
             Simulation job(3);
             job.clock(1, {.offsetNs = -7'300'000'000, .errorNs = 1'000'000});
             train(job, 60,
                   [&](int, int rank) { return 0.2 + job.noise(0.01) + (rank == 1 ? 0.1 : 0); });
             return job.run(25);
         },
         {"straggler StragglerRank 1"}},
        {"late on a host of two whose clocks differ by less than it is late",
         [] {
             Simulation job(4);
             for (const int rank : {2, 3})
                 job.clock(rank, {.offsetNs = 90'000'000'000, .errorNs = 40'000'000, .host = "b"});
             train(job, 60,
                   [&](int, int rank) { return 0.2 + job.noise(0.01) + (rank == 3 ? 0.1 : 0); });
             return job.run(25);
         },
         {"straggler StragglerRank 3"}},
        {"late on its host, and that by its own clock",
         [] {
             Simulation job(2);
             for (const int rank : {0, 1})
                 job.clock(rank, {.offsetNs = 90'000'000'000, .errorNs = 900'000'000, .host = "b"});
             train(job, 60,
                   [&](int, int rank) { return 0.2 + job.noise(0.01) + (rank == 1 ? 0.1 : 0); });
             return job.run(25);
         },
         {"straggler StragglerRank 1"}},
        {"a rank that always sleeps is late, and no hang",
         [] {
             Simulation job(2);
             for (int step = 0; step < 30; ++step) {
                 job.sleeps(1, 4);
                 job.together(Sum);
             }
             return job.run(130);
         },
         {"straggler StragglerRank 1"}},
        {"a pair's wire moves a quarter of what it can",
         [] { return transfers(2, 0.004); },
         {"slow wire SlowWire"},
         promisedOfGloo(2, 1e9)},
        {"so does one of four ranks' wires",
         [] { return transfers(4, 0.006); },
         {"slow wire SlowWire"},
         promisedOfGloo(4, 1e9)},
    };
}

} // namespace

std::vector<JobScenario> guiltyScenarios()
{
    std::vector<JobScenario> all;
    for (auto part : {hangs(), stuckPlaces(), mismatches(), slownesses()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace ringmaster::diagnose
