#include "ScenarioParts.h"

namespace ringmaster::diagnose {

namespace {

Recording evenly(int ranks, double lateBy = 0)
{
    Simulation job(ranks);
    train(job, 80, [&](int, int rank) { return 0.2 + job.noise(0.02) + (rank == 0 ? lateBy : 0); });
    return job.run(20);
}

std::vector<JobScenario> healthyTraining()
{
    return {
        {"plain", nullptr, {}},
        {"evaluation", nullptr, {}},
        {"checkpoint", nullptr, {}},
        {"uneven", nullptr, {}},
        {"accumulation", nullptr, {}},
        {"silent", nullptr, {}},
        {"pipeline", nullptr, {}},
        {"groups", nullptr, {}},
        {"async", nullptr, {}},
        {"barriers", nullptr, {}},
        {"first", nullptr, {}},
        {"two ranks about as fast", [] { return evenly(2); }, {}},
        {"eight ranks about as fast", [] { return evenly(8); }, {}},
        {"rank 0 logs for a millisecond", [] { return evenly(4, 0.001); }, {}},
        {"another rank is late each time",
         [] { return lateBy200Ms(4, [](int step, int rank) { return step % 4 == rank; }); },
         {}},
        {"half of the ranks are late",
         [] { return lateBy200Ms(4, [](int, int rank) { return rank >= 2; }); },
         {}},
        {"late in ten steps, then no more",
         [] { return lateBy200Ms(4, [](int step, int rank) { return rank == 1 && step < 10; }); },
         {}},
        {"an evaluation on rank 0 in every tenth step",
         [] {
             Simulation job(4);
             train(job, 50, [&](int step, int rank) {
                 return 0.3 + job.noise(0.01) + (rank == 0 && step % 10 == 9 ? 6 : 0);
             });
             return job.run(60);
         },
         {}},
        {"a checkpoint of a minute by rank 0",
         [] {
             return afterTraining(4, 80, [](Simulation& job) {
                 job.writes(0, 60);
                 train(job, 20);
             });
         },
         {}},
        {"an epoch's end: a rank reads for half a minute",
         [] {
             return afterTraining(2, 60, [](Simulation& job) {
                 job.writes(1, 30);
                 train(job, 20);
             });
         },
         {}},
        {"a long first step",
         [] {
             Simulation job(4);
             train(job, 40, [&](int step, int rank) {
                 return step == 0 ? 40.0 + 5 * rank : 0.2 + job.noise(0.01);
             });
             return job.run(70);
         },
         {}},
    };
}

/// A rank of three does so, and the others wait: nothing that hangs.
Recording quiet(const ProcessWait& wait, double seconds = 40,
                const std::string& file = "/home/me/save.py")
{
    return afterTraining(3, seconds + 10, [&](Simulation& job) {
        job.waitsIn(1, seconds, wait, file);
        train(job, 5);
    });
}

std::vector<JobScenario> quietPlaces()
{
    using Kind = ProcessWait::Kind;
    return {
        {"waits for `sleep 14`", [] { return quiet(waitsFor({.command = "sleep 14"}), 14); }, {}},
        {"waits for the lock of a file that a rank has who works",
         [] {
             return afterTraining(3, 50, [](Simulation& job) {
                 job.computes(0, 40);
                 job.waitsIn(1, 40,
                             {.kind = Kind::FileLock,
                              .name = "/home/me/.lock",
                              .holder = Simulation::pidOf(0)});
                 train(job, 5);
             });
         },
         {}},
        {"waits for a child for five minutes",
         [] { return quiet(waitsFor({.command = "aws s3 cp model.pt"}), 300); },
         {}},
        {"waits for a child with a timeout",
         [] {
             return quiet({.kind = Kind::Sleep, .children = {{.pid = 4711, .command = "sleep 40"}}},
                          40, "/usr/lib/python3.11/subprocess.py");
         },
         {}},
        {"waits for a copy of itself that works",
         [] { return quiet(waitsFor({.isCopy = true})); },
         {}},
        {"waits for its DataLoader worker, which reads",
         [] {
             return quiet({.kind = Kind::Pipe,
                           .children = {{.pid = 4711, .isCopy = true, .isLoaderWorker = true}}},
                          40, "/venv/lib/python3.11/site-packages/torch/utils/data/dataloader.py");
         },
         {}},
        {"writes to a disk that is stalled",
         [] {
             return quiet({.kind = Kind::File,
                           .isWriting = true,
                           .name = "/data/model.pt",
                           .bytes = 0,
                           .spanNs = 5 * Second});
         },
         {}},
        {"waits for pages from a disk",
         [] { return quiet({.kind = Kind::File, .state = "D"}); },
         {}},
        {"downloads slowly",
         [] {
             return quiet({.kind = Kind::Socket,
                           .name = "10.0.0.1:443",
                           .bytes = 5000,
                           .spanNs = 5 * Second});
         },
         {}},
        {"uploads slowly",
         [] {
             return quiet({.kind = Kind::Socket,
                           .isWriting = true,
                           .name = "10.0.0.1:443",
                           .bytes = 5000,
                           .spanNs = 5 * Second});
         },
         {}},
        {"another of its threads downloads",
         [] {
             return quiet({.kind = Kind::Socket,
                           .isOtherThread = true,
                           .name = "10.0.0.1:443",
                           .bytes = 5000,
                           .spanNs = 5 * Second});
         },
         {}},
        {"sleeps for forty seconds",
         [] { return quiet({.kind = Kind::Sleep, .leftNs = 20 * Second, .sleepNs = 38 * Second}); },
         {}},
        {"saves, and nobody sees how",
         [] {
             return quiet({.kind = Kind::Lock}, 40,
                          "/venv/lib/python3.11/site-packages/torch/serialization.py");
         },
         {}},
    };
}

/// Rank 0 receives from each of the others; `late`: before their last sends.
template <class Late>
Recording inOrder(Late late)
{
    Simulation job(3);
    for (int step = 0; step < 20; ++step) {
        if (step == 19)
            late(job);
        for (int rank = 1; rank < 3; ++rank) {
            job.computes(rank, 0.1);
            job.calls(rank, pairCall(OperationKind::Send, 0));
            job.calls(0, pairCall(OperationKind::Receive, rank));
        }
    }
    return job.run(20);
}

std::vector<JobScenario> healthyShapes()
{
    return {
        {"a pipeline of four stages",
         [] {
             Simulation job(4);
             for (int batch = 0; batch < 60; ++batch) {
                 for (int rank = 0; rank < 4; ++rank) {
                     if (rank > 0)
                         job.calls(rank, pairCall(OperationKind::Receive, rank - 1));
                     job.computes(rank, 0.1);
                     if (rank < 3)
                         job.calls(rank, pairCall(OperationKind::Send, rank + 1));
                 }
             }
             return job.run(20);
         },
         {}},
        {"receives in the order of ranks, and the first works for long",
         [] { return inOrder([](Simulation& job) { job.computes(1, 8); }); },
         {}},
        {"receives in the order of ranks, and the first sleeps for a while",
         [] { return inOrder([](Simulation& job) { job.sleeps(1, 8); }); },
         {}},
        {"tensors in pairs, gradients across them",
         [] {
             Simulation job(4);
             job.group(1, "left", {0, 1});
             job.group(2, "right", {2, 3});
             job.group(3, "first", {0, 2});
             job.group(4, "second", {1, 3});
             for (int step = 0; step < 60; ++step) {
                 for (int rank = 0; rank < 4; ++rank) {
                     job.computes(rank, 0.1 + job.noise(0.01));
                     job.calls(rank, {.group = rank < 2 ? 1U : 2U});
                     job.computes(rank, 0.1 + job.noise(0.01));
                     job.calls(rank, {.group = rank % 2 == 0 ? 3U : 4U});
                 }
             }
             return job.run(20);
         },
         {}},
        {"work that overlaps with computing",
         [] {
             return lateBy200Ms(
                 4, [](int, int) { return false; }, 7);
         },
         {}},
        {"nothing but barriers",
         [] {
             Simulation job(4, 0.0001);
             for (int i = 0; i < 4000; ++i)
                 job.together(Barrier);
             return job.run(10);
         },
         {}},
        {"gradients every fourth step",
         [] {
             Simulation job(4);
             train(job, 20, [&](int, int) { return 4 * (0.2 + job.noise(0.02)); });
             return job.run(20);
         },
         {}},
        {"gathers of different sizes",
         [] {
             Simulation job(3);
             for (int step = 0; step < 40; ++step) {
                 for (int rank = 0; rank < 3; ++rank)
                     job.calls(rank, {.kind = OperationKind::AllGather,
                                      .elements = 10U + static_cast<std::uint64_t>(rank * step),
                                      .reduction = Reduction::None});
             }
             return job.run(10);
         },
         {}},
        {"a transfer of half a minute that all are in",
         [] {
             return afterTraining(2, 50, [](Simulation& job) {
                 job.transferTakes(30);
                 job.together(Large);
             });
         },
         {}},
        {"called ahead, and computing for twenty seconds",
         [] {
             return afterTraining(2, 30, [](Simulation& job) {
                 job.begins(0, Sum);
                 job.computes(0, 20);
                 job.waits(0);
                 job.computes(1, 20);
                 job.calls(1, Sum);
             });
         },
         {}},
        {"a rank whose operations aren't recorded",
         [] {
             Simulation job(2);
             job.withoutLedger(1);
             train(job, 20);
             job.computes(1, 8);
             train(job, 20);
             return job.run(20);
         },
         {}},
        {"within the error of the clocks",
         [] {
             Simulation job(2);
             job.clock(1, {.offsetNs = 5'000'000'000, .errorNs = 150'000'000});
             train(job, 60, [&](int, int rank) { return 0.2 + (rank == 1 ? 0.1 : 0); });
             return job.run(25);
         },
         {}},
        {"two hosts whose clocks differ by more than a rank seems late",
         [] {
             Simulation job(4);
             for (const int rank : {2, 3})
                 job.clock(rank, {.offsetNs = 90'000'000'000, .errorNs = 150'000'000, .host = "b"});
             train(job, 60,
                   [&](int, int rank) { return 0.2 + job.noise(0.01) + (rank == 3 ? 0.1 : 0); });
             return job.run(25);
         },
         {}},
        {"the wire does what it can",
         [] { return transfers(2, 0.001); },
         {},
         promisedOfGloo(2, 1e9)},
        {"only the ring is calibrated, and it runs on gloo",
         [] { return transfers(2, 0.004); },
         {},
         {{ledger::Backend::Ring, OperationKind::AllReduce, 2, 1U << 10U, 1e9},
          {ledger::Backend::Ring, OperationKind::AllReduce, 2, 1U << 24U, 1e9}}},
        {"its last operation is long ago",
         [] {
             return afterTraining(2, 90, [](Simulation& job) {
                 job.sleeps(0, 80);
                 job.computes(1, 80);
             });
         },
         {}},
        {"one rank alone",
         [] {
             Simulation job(1);
             train(job, 40);
             return job.run(10);
         },
         {}},
    };
}

} // namespace

std::vector<JobScenario> healthyScenarios()
{
    auto all = healthyTraining();
    for (auto part : {quietPlaces(), healthyShapes()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace ringmaster::diagnose
