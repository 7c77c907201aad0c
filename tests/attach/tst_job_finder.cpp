#include "engine/attach/JobEnd.h"
#include "engine/attach/JobFinder.h"

#include <QtTest>

using namespace ringmaster;

namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

ForeignProcess process(pid_t pid, pid_t parent, std::vector<std::string> arguments,
                       Variables variables = {})
{
    return {.identity = {pid, static_cast<std::uint64_t>(pid)},
            .parent = parent,
            .about = {.user = "ada", .arguments = std::move(arguments), .startedNs = pid},
            .hasTorch = true,
            .variables = std::move(variables)};
}

Variables torchrun(int rank, const std::string& port = "29500")
{
    return {{"RANK", std::to_string(rank)},  {"WORLD_SIZE", "2"},
            {"MASTER_ADDR", "127.0.0.1"},    {"MASTER_PORT", port},
            {"TORCHELASTIC_RUN_ID", "none"}, {"TORCHELASTIC_RESTART_COUNT", "1"}};
}

std::vector<int> pidsOf(const ForeignJob& job)
{
    std::vector<int> pids;
    for (const ForeignRank& rank : job.ranks)
        pids.push_back(rank.process.pid);
    return pids;
}

} // namespace

/// Jobs among made-up processes; tst_attach has real ones.
class tst_job_finder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void torchrunsRanksAreAJob()
    {
        const auto jobs = findJobs({process(10, 1, {"python", "torchrun", "train.py"}),
                                    process(12, 10, {"python", "-u", "train.py"}, torchrun(1)),
                                    process(11, 10, {"python", "-u", "train.py"}, torchrun(0))});
        QCOMPARE(jobs.size(), 1U);
        const ForeignJob& job = jobs.front();
        QCOMPARE(job.launcher, ForeignJob::Launcher::Torchrun);
        QCOMPARE(job.name, "train.py");
        QCOMPARE(job.user, "ada");
        QCOMPARE(job.store, "127.0.0.1:29500");
        QCOMPARE(job.worldSize, 2);
        QCOMPARE(job.restarts, 1);
        QCOMPARE(job.started.pid, 10);
        QCOMPARE(pidsOf(job), (std::vector<int>{11, 12}));
        QVERIFY(job.has(10) && job.has(12) && !job.has(13));
    }

    void twoJobsOfOneUserAreApart()
    {
        const auto jobs = findJobs({process(11, 10, {"python", "a.py"}, torchrun(0)),
                                    process(12, 10, {"python", "a.py"}, torchrun(1)),
                                    process(21, 20, {"python", "b.py"}, torchrun(0, "29501")),
                                    process(22, 20, {"python", "b.py"}, torchrun(1, "29501"))});
        QCOMPARE(jobs.size(), 2U);
        QCOMPARE(jobs.front().name, "b.py"); // the latest first
        QCOMPARE(jobs.back().name, "a.py");
    }

    void whatARankStartsIsNoRank()
    {
        auto shell = process(11, 10, {"bash", "train.sh"}, torchrun(0));
        shell.hasTorch = false;
        auto compiler = process(14, 12, {"cc1plus"}, torchrun(0));
        compiler.hasTorch = false;
        const auto jobs =
            findJobs({shell, process(12, 11, {"python", "train.py"}, torchrun(0)),
                      process(13, 12, {"python", "train.py"}, torchrun(0)), // a loader
                      compiler, process(15, 10, {"python", "train.py"}, torchrun(1))});
        QCOMPARE(jobs.size(), 1U);
        QCOMPARE(pidsOf(jobs.front()), (std::vector<int>{12, 15}));
    }

    void aRankThatStillLoadsIsOne()
    {
        auto first = process(11, 10, {"python3", "train.py"}, torchrun(0));
        first.hasTorch = false;
        const auto jobs = findJobs({first, process(12, 10, {"python3", "train.py"}, torchrun(1))});
        QCOMPARE(jobs.size(), 1U);
        QVERIFY(jobs.front().ranks.front().isLoading);
        QVERIFY(!jobs.front().ranks.back().isLoading);
    }

    void launchersAreTold_data()
    {
        QTest::addColumn<int>("launcher");
        QTest::addColumn<QList<QByteArray>>("names");
        QTest::newRow("accelerate")
            << int(ForeignJob::Launcher::Accelerate)
            << QList<QByteArray>{"RANK=0", "WORLD_SIZE=2", "TORCHELASTIC_RUN_ID=none",
                                 "ACCELERATE_MIXED_PRECISION=no"};
        QTest::newRow("deepspeed") << int(ForeignJob::Launcher::DeepSpeed)
                                   << QList<QByteArray>{"RANK=0", "WORLD_SIZE=2", "CROSS_SIZE=1"};
        QTest::newRow("srun") << int(ForeignJob::Launcher::Slurm)
                              << QList<QByteArray>{"SLURM_PROCID=0", "SLURM_NTASKS=2",
                                                   "SLURM_JOB_ID=7", "SLURM_STEP_ID=0"};
        QTest::newRow("srun, torch's variables set by the user")
            << int(ForeignJob::Launcher::Slurm)
            << QList<QByteArray>{"RANK=0", "WORLD_SIZE=2", "SLURM_PROCID=0", "SLURM_NTASKS=2",
                                 "SLURM_STEP_ID=0"};
        QTest::newRow("Open MPI") << int(ForeignJob::Launcher::Mpi)
                                  << QList<QByteArray>{"OMPI_COMM_WORLD_RANK=0",
                                                       "OMPI_COMM_WORLD_SIZE=2",
                                                       "PMIX_NAMESPACE=prterun-1"};
        QTest::newRow("nothing but torch's")
            << int(ForeignJob::Launcher::Unknown) << QList<QByteArray>{"RANK=0", "WORLD_SIZE=2"};
    }

    void launchersAreTold()
    {
        QFETCH(int, launcher);
        QFETCH(QList<QByteArray>, names);
        Variables variables;
        for (const QByteArray& name : names) {
            const auto parts = name.split('=');
            variables.emplace(parts[0].toStdString(), parts[1].toStdString());
        }
        const auto jobs = findJobs({process(11, 10, {"python", "train.py"}, variables)});
        QCOMPARE(jobs.size(), 1U);
        QCOMPARE(int(jobs.front().launcher), launcher);
        QCOMPARE(jobs.front().worldSize, 2);
    }

    /// torch.multiprocessing.spawn and Ray set their variables when the process runs already.
    void ranksWithoutVariablesMeetAtAStore()
    {
        auto parent = process(10, 1, {"python", "spawn.py"});
        const std::string store = "127.0.0.1:40001";
        std::vector<ForeignProcess> all{parent};
        for (pid_t pid = 11; pid <= 13; ++pid) {
            auto rank = process(pid, 10, {"python", "-c", "from multiprocessing…"});
            rank.connections = {{static_cast<std::uint64_t>(pid), store}};
            if (pid > 11) // gloo's own, to the first rank
                rank.connections.push_back({static_cast<std::uint64_t>(pid) * 10, "127.0.0.1:555"});
            else
                rank.listensAt = {"0.0.0.0:40001", "127.0.0.1:555"};
            all.push_back(rank);
        }
        auto loader = process(14, 13, {"python", "-c", "from multiprocessing…"});
        loader.connections = all.back().connections; // forked: it holds its parent's sockets
        all.push_back(loader);
        const auto jobs = findJobs(all);
        QCOMPARE(jobs.size(), 1U);
        QCOMPARE(pidsOf(jobs.front()), (std::vector<int>{11, 12, 13}));
        QCOMPARE(jobs.front().store, store);
        QCOMPARE(jobs.front().name, "spawn.py");
        QVERIFY(!jobs.front().areRanksKnown);
        QCOMPARE(jobs.front().worldSize, 0);
    }

    /// Beside the store, its processes are connected to Ray's own servers and to the program.
    void raysActorsAreAJobOfTheProgramThatMadeThem()
    {
        auto driver = process(10, 1, {"/usr/bin/python", "train_ray.py"});
        driver.listensAt = {"0.0.0.0:35083"};
        auto raylet = process(11, 10, {"/x/ray/core/src/ray/raylet/raylet", "--node_ip=10.0.0.1"});
        raylet.hasTorch = false;
        std::vector<ForeignProcess> all{driver, raylet};
        for (pid_t pid = 21; pid <= 23; ++pid) {
            auto rank = process(pid, 11, {"ray::Trainer.train", "", ""});
            const auto socket = static_cast<std::uint64_t>(pid) * 10;
            rank.connections = {{socket, "10.0.0.1:35697"}, {socket + 1, "127.0.0.1:32993"}};
            rank.listensAt = {"0.0.0.0:" + std::to_string(40000 + pid)};
            if (pid == 22)
                rank.listensAt.emplace_back("0.0.0.0:32993");
            all.front().connections.push_back(
                {socket + 2, "10.0.0.1:" + std::to_string(40000 + pid)});
            all.push_back(rank);
        }
        const auto jobs = findJobs(all);
        QCOMPARE(jobs.size(), 1U);
        const ForeignJob& job = jobs.front();
        QCOMPARE(job.launcher, ForeignJob::Launcher::Ray);
        QCOMPARE(nameOf(job.launcher), "ray");
        QCOMPARE(job.name, "train_ray.py");
        QCOMPARE(pidsOf(job), (std::vector<int>{21, 22, 23}));
        QVERIFY(!job.areRanksKnown);
        // Other jobs' processes are the raylet's, too.
        QCOMPARE(job.started.pid, 11);
        QCOMPARE(job.identity().pid, 21);
        QCOMPARE(processesToEnd(job).size(), 3U);

        // `ray start` made the raylet.
        all[1].parent = 1;
        QCOMPARE(findJobs(all).front().name, "ray::Trainer.train");
    }

    void whoOnlyUsesTheSameServerIsNoJob()
    {
        auto one = process(11, 1, {"python", "a.py"});
        auto other = process(12, 1, {"python", "b.py"});
        one.connections = {{1, "10.0.0.1:443"}};
        other.connections = {{2, "10.0.0.1:443"}};
        QVERIFY(findJobs({one, other}).empty());
    }

    void runsOfRingmastersAreNone()
    {
        auto keeper = process(10, 1, {"ringmaster-keeper"}, {{"RINGMASTER_RUN", "x"}});
        keeper.hasTorch = false;
        // It has thrown its environment away.
        QVERIFY(findJobs({keeper, process(11, 10, {"python", "t.py"}, torchrun(0))}).empty());
    }

    void wrongVariablesAreNoRanks_data()
    {
        QTest::addColumn<QString>("rank");
        QTest::addColumn<QString>("world");
        QTest::newRow("no number") << "one"
                                   << "2";
        QTest::newRow("negative") << "-1"
                                  << "2";
        QTest::newRow("beyond the world") << "2"
                                          << "2";
        QTest::newRow("too large") << "0"
                                   << "99999999999999";
        QTest::newRow("with a rest") << "0x"
                                     << "2";
    }

    void wrongVariablesAreNoRanks()
    {
        QFETCH(QString, rank);
        QFETCH(QString, world);
        const Variables variables{{"RANK", rank.toStdString()},
                                  {"WORLD_SIZE", world.toStdString()}};
        QVERIFY(findJobs({process(11, 1, {"python", "t.py"}, variables)}).empty());
    }

    void secretsInACommandAreMasked()
    {
        const auto jobs =
            findJobs({process(11, 1, {"python", "t.py", "--api-key", "hunter2"}, torchrun(0))});
        QCOMPARE(jobs.front().ranks.front().command, "python t.py --api-key ***");
    }
};

QTEST_GUILESS_MAIN(tst_job_finder)
#include "tst_job_finder.moc"
