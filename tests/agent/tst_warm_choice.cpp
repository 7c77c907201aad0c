#include "engine/agent/Codes.h"
#include "engine/agent/WarmChoice.h"
#include "tests/agent/FakeNode.h"

#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <csignal>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ringmaster;
using namespace ringmaster::test;

/// When workers may be forked from the warm starter, and what the run says of it.
class tst_warm_choice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        write("train.py", "import torch\n");
        write("plain.py", "print('hello')\n");
    }

    void asksForWhatTheWorkersAre()
    {
        FakeNode node(job(), {2}, {{"OMP_NUM_THREADS", "2"}}, WarmSettings{});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        const std::optional<WarmRequest>& request = node.processes->warmRequest;
        QVERIFY(request.has_value());
        QCOMPARE(request->interpreter, std::string("/usr/bin/python3"));
        QCOMPARE(request->title, std::string("run"));
        QCOMPARE(request->programs.size(), size_t{1});
        QCOMPARE(request->programs.front().name, std::string("train.py"));
        QCOMPARE(request->programs.front().folder, m_folder.path().toStdString());
        QCOMPARE(
            loadTimeVariables(request->environment),
            (std::vector<std::string>{"OMP_NUM_THREADS=2", "TORCH_NCCL_ASYNC_ERROR_HANDLING=1"}));
    }

    void asksForNothingUnlessAsked()
    {
        FakeNode node(job(), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(!node.processes->warmRequest);
        QVERIFY(node.record.all<Notice>().empty());
    }

    void saysWhyAStartIsCold_data()
    {
        QTest::addColumn<QString>("code");
        for (const char* code : {"ColdPlain", "ColdProgramKind", "ColdStartedThrough",
                                 "ColdInterpretersDiffer", "ColdRanksDiffer", "ColdNoTorch"})
            QTest::newRow(code) << code;
    }

    void saysWhyAStartIsCold()
    {
        QFETCH(QString, code);
        JobSpec spec = job();
        const AgentOptions options{.interpreter = "python", .warm = WarmSettings{}};
        LaunchPlan plan;
        for (int rank = 0; rank < 2; ++rank) {
            WorkerLaunch launch;
            launch.localRank = rank;
            launch.arguments = {"python", "-u", "train.py"};
            launch.environment = {"RANK=" + std::to_string(rank)};
            launch.workingFolder = m_folder.path().toStdString();
            plan.launches.push_back(std::move(launch));
        }
        QVERIFY(warmRequestOf(spec, options, plan).has_value());
        WorkerLaunch& second = plan.launches.back();
        if (code == "ColdPlain")
            spec.plain = true;
        else if (code == "ColdProgramKind")
            spec.roles.front().kind = ProgramKind::Command;
        else if (code == "ColdStartedThrough")
            second.arguments.insert(second.arguments.begin(), {"numactl", "--physcpubind=1"});
        else if (code == "ColdInterpretersDiffer")
            second.arguments.front() = "another";
        else if (code == "ColdRanksDiffer")
            second.environment.push_back("MKL_NUM_THREADS=4");
        else
            second.arguments.back() = "plain.py";
        const auto request = warmRequestOf(spec, options, plan);
        QVERIFY(!request.has_value());
        QCOMPARE(codeName(request.error().code), codeName(*codeFromName(code.toStdString())));
        if (code == "ColdRanksDiffer")
            QCOMPARE(request.error().parameters.at("variable"), std::string("MKL_NUM_THREADS"));
        // Whoever insists gets torch imported for nothing.
        spec.warm = WarmMode::On;
        QCOMPARE(warmRequestOf(spec, options, plan).has_value(), code == "ColdNoTorch");
    }

    void aPipeIsLeftToTheWorker()
    {
        const std::string folder = m_folder.path().toStdString();
        const std::string pipe = folder + "/pipe.py";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        std::thread writer([&pipe] { std::ofstream(pipe) << "import torch\n"; });
        LaunchPlan plan;
        WorkerLaunch& launch = plan.launches.emplace_back();
        launch.arguments = {"python", "-u", "pipe.py"};
        launch.workingFolder = folder;
        const auto request = warmRequestOf(
            job(), AgentOptions{.interpreter = "python", .warm = WarmSettings{}}, plan);
        const FileDescriptor worker(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
        writer.join();
        std::array<char, 64> text{};
        QCOMPARE(::read(worker.get(), text.data(), text.size()), ssize_t{13});
        QVERIFY(!request.has_value());
        QCOMPARE(codeName(request.error().code), codeName(code::ColdNoTorch));
    }

    void variablesOfOneRankDontMatter()
    {
        std::vector<WorkerLaunch> launches(2);
        launches[0].environment = {"RANK=0", "TORCHELASTIC_ERROR_FILE=/0",
                                   "CUDA_VISIBLE_DEVICES=0"};
        launches[1].environment = {"RANK=1", "TORCHELASTIC_ERROR_FILE=/1",
                                   "CUDA_VISIBLE_DEVICES=1"};
        QCOMPARE(differingVariable(launches), std::string());
        launches[1].environment.push_back("LD_PRELOAD=x");
        QCOMPARE(differingVariable(launches), std::string("LD_PRELOAD"));
    }

    void theReasonIsAnEvent()
    {
        JobSpec spec = job();
        spec.plain = true;
        spec.warm = WarmMode::On;
        FakeNode node(spec, {1}, {}, WarmSettings{});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        const auto notices = node.record.all<Notice>();
        QCOMPARE(notices.size(), size_t{1});
        QCOMPARE(codeName(notices.front().message.code), codeName(code::ColdPlain));
        // Whoever insists sees it in the terminal.
        QVERIFY(notices.front().severity == Notice::Severity::Warning);
    }

    void aStopDoesntWaitForTheStarter()
    {
        FakeNode node(job(), {2}, {}, WarmSettings{});
        node.agent().start();
        QVERIFY(node.until([&] { return node.processes->opens == 1; }));
        node.processes->waitsForStarter = true;
        QVERIFY(node.until([&] { return node.processes->warmRequest.has_value(); }));
        QVERIFY(node.agent().signalled(SIGINT));
        QVERIFY(node.untilEnd());
        QVERIFY(node.processes->started.empty());
    }

private:
    JobSpec job() const
    {
        JobSpec spec;
        spec.roles = {Role{.program = "train.py", .workingFolder = m_folder.path().toStdString()}};
        return spec;
    }

    void write(const char* name, const char* text) const
    {
        std::ofstream(std::filesystem::path(m_folder.path().toStdString()) / name) << text;
    }

    const QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_warm_choice)
#include "tst_warm_choice.moc"
