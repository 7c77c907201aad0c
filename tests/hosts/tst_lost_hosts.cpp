#include "engine/job/JobFile.h"
#include "engine/record/RunFolder.h"
#include "tests/hosts/LabRuns.h"
#include "tests/hosts/SecondLead.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>
#include <csignal>
#include <set>

using namespace ringmaster;

/// What becomes of a job on real hosts when cables are pulled, and when anything is killed.
class tst_lost_hosts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("RINGMASTER_NO_LAB"))
            QSKIP(qPrintable(qEnvironmentVariable("RINGMASTER_NO_LAB")));
    }

    void aCableIsPulledAndPutBack()
    {
        Lab lab;
        const auto process = lab.start(
            run({"--hosts", "lab1,lab2,lab3", "--nnodes", "2:3", "--rdzv-conf", "node_timeout=4"},
                "echo $RANK of $WORLD_SIZE at $(hostname); exec sleep 600"));
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count(" of 3 ") == 3, text,
                                  ForProcesses);
        QElapsedTimer timer;
        timer.start();
        Lab::turn({"cut", "lab1"});
        text.clear();
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count(" of 2 ") == 2, text,
                                  ForProcesses);
        qInfo("two hosts run %.1f s after the cut", double(timer.restart()) / 1000);
        Lab::turn({"heal", "lab1"});
        text.clear();
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count(" of 3 ") == 3, text,
                                  ForProcesses);
        qInfo("three hosts run %.1f s after it is back", double(timer.elapsed()) / 1000);
        QVERIFY2(text.contains("0 of 3 at lab1"), text.constData());
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        QCOMPARE(Ringmaster::finish(*process, ForProcesses).exitCode, 1);
        QCOMPARE(lab.show().value("restartsUsed").toInt(), 0);
        for (const char* host : {"lab1", "lab2", "lab3"})
            QTRY_VERIFY2_WITH_TIMEOUT(Lab::left(host).isEmpty(), Lab::left(host), ForProcesses);
    }

    void aSpareStandsByAfterACutToo()
    {
        Lab lab;
        const auto process =
            lab.start({"run", "--hosts", "lab1,lab2,lab3", "--nnodes", "2", "--max-restarts", "1",
                       "--rdzv-conf", "node_timeout=4", "--no-python", "/bin/sh", "-c",
                       "echo $RANK of $WORLD_SIZE on $(hostname); sleep 600"});
        QByteArray text;
        const auto told = [&]() -> QByteArray& {
            text += process->readAllStandardError();
            return outputOf(*process, text);
        };
        QTRY_VERIFY2_WITH_TIMEOUT(told().count(" of 2 on lab") == 2, text, ForProcesses);
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains(": standing by"), text, ForProcesses);
        const qsizetype at = text.indexOf(": standing by");
        const QString spare = QString::fromUtf8(text.mid(at - 4, 4));
        Lab::turn({"cut", spare});
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains(spare.toUtf8() + " hasn't answered"), text,
                                  ForProcesses);
        Lab::turn({"heal", spare});
        text.clear();
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains(spare.toUtf8() + ": standing by"), text,
                                  ForProcesses);
        Lab::turn({"cut", spare == "lab1" ? "lab2" : "lab1"});
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains(" of 2 on " + spare.toUtf8()), text,
                                  ForProcesses);
        Lab::turn({"heal", spare == "lab1" ? "lab2" : "lab1"});
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        QCOMPARE(Ringmaster::finish(*process, ForProcesses).exitCode, 1);
    }

    void aHostWhoseWorkersFailAgainAndAgainIsLeftOut()
    {
        Lab lab;
        const auto process =
            lab.start(run({"--hosts", "lab1,lab2,lab3", "--nnodes", "2:3", "--max-restarts", "5",
                           "--leave-host-out-after", "2"},
                          "echo $RANK of $WORLD_SIZE at $(hostname); "
                          "test $(hostname) = lab2 && { sleep 1; exit 3; }; "
                          "test $WORLD_SIZE = 2 && { until test -e /tmp/enough; do sleep 0.05; "
                          "done; exit 0; }; exec sleep 600"));
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count(" of 2 ") == 2, text,
                                  ForProcesses);
        QVERIFY2(text.contains("0 of 2 at lab1") && text.contains("1 of 2 at lab3"), text);
        // It is ended there, and not only kept out of the round.
        QTRY_VERIFY2_WITH_TIMEOUT(Lab::left("lab2").isEmpty(), Lab::left("lab2"), ForProcesses);
        const QByteArray listed = lab.ringmaster().run({"ps"}).error;
        const QByteArray shown = lab.ringmaster().run({"show"}).output;
        for (const char* host : {"lab1", "lab3"})
            Lab::on(host, {"touch", "/tmp/enough"});
        const auto ended = Ringmaster::finish(*process, ForProcesses);
        QVERIFY2(ended.exitCode == 0, ended.error);
        const QByteArray why = "lab2 is left out after failures that began there: 2";
        QVERIFY2(shown.contains(why), shown);
        QVERIFY2(listed.contains(why), listed);
        const QByteArray events = lab.ringmaster().run({"show", "--events"}).output;
        QVERIFY2(events.contains(why) && events.contains("Failures that began on lab2: 1"), events);
        QCOMPARE(lab.show().value("restartsUsed").toInt(), 2);
    }

    void anAgentThatIsKilledIsReplaced()
    {
        Lab lab;
        const auto process = lab.start(run(
            {"--hosts", "lab1,lab2"}, "echo $RANK of $WORLD_SIZE at $(hostname); exec sleep 600"));
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count(" of 2 ") == 2, text,
                                  ForProcesses);
        text.clear();
        Lab::on("lab1", {"pkill", "-KILL", "-f", "agent host"});
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count(" of 2 ") == 2, text,
                                  ForProcesses);
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        QCOMPARE(Ringmaster::finish(*process, ForProcesses).exitCode, 1);
        const QByteArray events = lab.ringmaster().run({"show", "--events", "--json"}).output;
        QVERIFY2(events.contains("HostAgentKilled"), events.right(3000).constData());
    }

    void aBrokenConnectionRestartsNobody_data()
    {
        QTest::addColumn<QStringList>("victims"); ///< Processes here …
        QTest::addColumn<QString>("target");      ///< … and who is cut off,
        QTest::addColumn<QString>("way");         ///< as labs/hosts.sh calls it,
        QTest::addColumn<int>("seconds");         ///< for so long.
        QTest::addColumn<bool>("finishesMeanwhile");
        QTest::addColumn<bool>("isUsual"); ///< node_timeout isn't named.
        const QStringList none;
        QTest::newRow("ssh is killed") << QStringList{"ssh .*-- lab1 sh"} << ""
                                       << "" << 0 << false << false;
        QTest::newRow("all of ssh is killed") << QStringList{"ssh .*-- lab", "ssh: .*mux"} << ""
                                              << "" << 0 << false << false;
        QTest::newRow("the lead has no network") << none << "lead"
                                                 << "cut" << 12 << false << false;
        QTest::newRow("a host's cable is pulled") << none << "lab2"
                                                  << "cut" << 15 << false << false;
        QTest::newRow("a host succeeds behind it") << none << "lab2"
                                                   << "cut" << 12 << true << false;
        QTest::newRow("all succeed meanwhile") << none << "lead"
                                               << "cut" << 12 << true << false;
        QTest::newRow("usual times, the lead has no network") << none << "lead"
                                                              << "cut" << 8 << false << true;
        QTest::newRow("usual times, the lead's packets are lost") << none << "lead"
                                                                  << "lose" << 8 << false << true;
        QTest::newRow("usual times, a host's cable is pulled") << none << "lab2"
                                                               << "cut" << 15 << false << true;
        QTest::newRow("usual times, a host's packets are lost") << none << "lab2"
                                                                << "lose" << 15 << false << true;
    }

    /// A connection that is silent is given up after a quarter of node_timeout, so within the cut;
    /// the rest of it is for the next login.
    void aBrokenConnectionRestartsNobody()
    {
        QFETCH(QStringList, victims);
        QFETCH(QString, target);
        QFETCH(QString, way);
        QFETCH(int, seconds);
        QFETCH(bool, finishesMeanwhile);
        QFETCH(bool, isUsual);
        Lab lab;
        const QStringList times =
            isUsual ? QStringList() : QStringList{"--rdzv-conf", "node_timeout=40"};
        const auto process = lab.start(
            QStringList{"run", "--hosts", "lab1,lab2,lab3", "--max-restarts", "0"} + times +
            QStringList{"--no-python", "/bin/sh", "-c",
                        "echo $RANK of $WORLD_SIZE; until [ -e /tmp/enough ]; do sleep 0.1; done"});
        QByteArray text;
        const auto told = [&]() -> QByteArray& {
            text += process->readAllStandardError();
            return outputOf(*process, text);
        };
        const auto finishAll = [] {
            for (const char* host : {"lab1", "lab2", "lab3"})
                Lab::on(host, {"touch", "/tmp/enough"});
        };
        const auto clear = qScopeGuard([] {
            for (const char* host : {"lab1", "lab2", "lab3"})
                Lab::on(host, {"rm", "-f", "/tmp/enough"});
        });
        QTRY_VERIFY2_WITH_TIMEOUT(told().count(" of 3") == 3, text, ForProcesses);
        QElapsedTimer timer;
        timer.start();
        for (const QString& victim : victims)
            QProcess::execute("pkill", {"-KILL", "-f", victim});
        if (!target.isEmpty())
            Lab::turn({way, target});
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains(": reconnecting"), text, ForProcesses);
        qInfo("said after %.1f s", double(timer.elapsed()) / 1000);
        // A busy machine adds to it; that nobody waits for the connection's end is in the words.
        QVERIFY2(timer.elapsed() < 30'000, text);
        QVERIFY2(target.isEmpty() || text.contains("hasn't answered for 3 s"), text);
        if (finishesMeanwhile)
            finishAll();
        QTRY_VERIFY_WITH_TIMEOUT(timer.elapsed() >= seconds * 1000, ForProcesses);
        if (!target.isEmpty())
            Lab::turn({"heal", target});
        timer.restart();
        const bool isQuick = !isUsual || loginTime() < 2000;
        const qsizetype hosts = text.count(": reconnecting");
        QTRY_VERIFY2_WITH_TIMEOUT(told().count(": connected") >= 3 + hosts, text, ForProcesses);
        qInfo("connected again after %.1f s", double(timer.elapsed()) / 1000);
        finishAll();
        const auto outcome = Ringmaster::finish(*process, ForProcesses);
        QVERIFY2(outcome.exitCode == 0, text + outcome.error);
        // The usual times leave a few seconds for a login, which a busy machine alone may need.
        QVERIFY2(!isQuick || restartsIn(lab) == 0, text);
    }

    /// ssh's own times follow from it, and so does who shares a connection: one with other times
    /// may be left by somebody else.
    void sshsTimesFollowFromTheNodeTimeout()
    {
        Lab lab;
        const auto check = lab.start({"host", "check", "lab1"});
        QCOMPARE(Ringmaster::finish(*check, ForProcesses).exitCode, 0);
        const auto process = lab.start(run({"--hosts", "lab1", "--rdzv-conf", "node_timeout=60"},
                                           "echo here; exec sleep 600"));
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).contains("here"), text, ForProcesses);
        QProcess list;
        list.start("ps", {"-ww", "-eo", "args"});
        QVERIFY(list.waitForFinished());
        const QByteArray all = list.readAllStandardOutput();
        const QRegularExpression ours("ssh .*ConnectTimeout=6 .*ServerAliveInterval=5 .*-- lab1 ");
        QVERIFY2(QString(all).contains(ours), all);
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        QCOMPARE(Ringmaster::finish(*process, ForProcesses).exitCode, 1);
    }

    /// What waits for a host that is cut off goes on without it as soon as anything else fails.
    void othersThatFailGoOnWithoutAHostThatIsCutOff()
    {
        Lab lab;
        const auto process =
            lab.start({"run", "--hosts", "lab1,lab2,lab3", "--nnodes", "2:3", "--max-restarts", "0",
                       "--rdzv-conf", "node_timeout=40", "--no-python", "/bin/sh", "-c",
                       "echo $RANK of $WORLD_SIZE at $(hostname); exec sleep 600"});
        QByteArray text;
        const auto told = [&]() -> QByteArray& {
            text += process->readAllStandardError();
            return outputOf(*process, text);
        };
        QTRY_VERIFY2_WITH_TIMEOUT(told().count(" of 3 ") == 3, text, ForProcesses);
        Lab::turn({"cut", "lab1"});
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains("lab1: reconnecting"), text, ForProcesses);
        QElapsedTimer timer;
        timer.start();
        Lab::on("lab2", {"pkill", "-KILL", "-f", "sleep 600"});
        QTRY_VERIFY2_WITH_TIMEOUT(told().count(" of 2 ") == 2, text, ForProcesses);
        qInfo("two hosts run %.1f s after the failure", double(timer.elapsed()) / 1000);
        // Not because its time was over.
        QVERIFY2(!told().contains("lab1 hasn't come back"), text);
        text.clear();
        Lab::turn({"heal", "lab1"});
        QTRY_VERIFY2_WITH_TIMEOUT(told().count(" of 3 ") == 3, text, ForProcesses);
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        QCOMPARE(Ringmaster::finish(*process, ForProcesses).exitCode, 1);
        QCOMPARE(lab.show().value("restartsUsed").toInt(), 0);
    }

    void whatAnAgentKeptComesOnceThoughItGaveUp()
    {
        Lab lab;
        const auto process = lab.start(
            run({"--hosts", "lab1,lab2", "--nnodes", "1:2", "--rdzv-conf",
                 "lead_timeout=1,node_timeout=2"},
                "i=0; while sleep 0.1; do echo line $((i = i + 1)) of $MASTER_PORT at $(hostname) "
                "in $WORLD_SIZE; done"));
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).contains("lab1 in 2"), text,
                                  ForProcesses);
        Lab::turn({"cut", "lab1"});
        QTRY_VERIFY2_WITH_TIMEOUT(Lab::left("lab1").isEmpty(), Lab::left("lab1"), ForProcesses);
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).contains("lab2 in 1"), text,
                                  ForProcesses);
        const qsizetype before = text.count("at lab1 in 2");
        Lab::turn({"heal", "lab1"});
        QByteArray later;
        // Both rounds of two hosts: the first one's last lines come late.
        QTRY_VERIFY2_WITH_TIMEOUT(linesOfLab1(text + outputOf(*process, later)).size() == 2, later,
                                  ForProcesses);
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        const auto outcome = Ringmaster::finish(*process, ForProcesses);
        QVERIFY2(outcome.exitCode == 1, outcome.error);
        checkLines(text + later + outcome.output, before);
        const QByteArray shown = lab.ringmaster().run({"show", "--events", "--json"}).output;
        QVERIFY2(shown.contains("HostAgentGaveUp") && shown.contains("LeadGone"),
                 shown.right(3000).constData());
        std::set<EventId> ids;
        const auto folder = RunFolder::find(lab.ringmaster().runsFolder().toStdString(),
                                            lab.ringmaster().runs().first().toStdString());
        const auto events = folder->openReader()->events();
        for (const Event& event : *events)
            QVERIFY2(ids.insert(event.id).second, event.id.agent.c_str());
    }

    void aLeadThatIsReplacedLeavesTheAgentsToTheOther()
    {
        Lab lab;
        const auto process =
            lab.start(run({"--hosts", "lab1,lab2", "--rdzv-conf", "lead_timeout=60"},
                          "echo here; exec sleep 600"));
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count("here") == 2, text, ForProcesses);
        const SshSettings ssh{.config = Lab::folder().toStdString() + "/ssh_config"};
        const std::string id = lab.ringmaster().runs().first().toStdString();
        const std::string program = RINGMASTER_BUILD_DIR "/bin/ringmaster";
        SecondLead second(ssh, "lab1", id, program);
        QVERIFY(second.heartbeat());
        const auto outcome = Ringmaster::finish(*process, ForProcesses);
        QVERIFY2(outcome.exitCode == 1, outcome.error);
        QCOMPARE(lab.show().value("reason").toObject().value("code").toString(),
                 QString("LeadReplaced"));
        QVERIFY2(Lab::left("lab1").contains("sleep 600"), Lab::left("lab1"));
        QVERIFY(second.heartbeat());
        QVERIFY(!second.stop(1)); // the former lead's
        QVERIFY(second.stop());
        (void)second.heartbeat(true); // the agent may be gone before its answer is here
        // The other host's has been left alone, too, and would wait for the whole lead_timeout.
        SecondLead onLab2(ssh,
                          {.run = id,
                           .agent = "2",
                           .host = "lab2",
                           .generation = SecondLead::Newest,
                           .isAttaching = true},
                          program);
        QVERIFY(onLab2.heartbeat());
        QVERIFY(onLab2.stop());
        (void)onLab2.heartbeat(true);
        for (const char* host : {"lab1", "lab2"})
            QTRY_VERIFY2_WITH_TIMEOUT(Lab::left(host).isEmpty(), Lab::left(host), ForProcesses);
    }

    void ofTwoLeadsTheNewerOneStartsAgents_data()
    {
        QTest::addColumn<QString>("name"); ///< Of its agent; the older one's is 1.
        QTest::newRow("under another name") << "1.2";
        QTest::newRow("under the same name") << "1";
    }

    /// Each takes itself for the lead, since neither has heard of the other.
    void ofTwoLeadsTheNewerOneStartsAgents()
    {
        QFETCH(QString, name);
        Lab lab;
        const auto process =
            lab.start(run({"--hosts", "lab1,lab2", "--rdzv-conf", "lead_timeout=5,node_timeout=2"},
                          "echo here; exec sleep 600"));
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count("here") == 2, text, ForProcesses);
        const SshSettings ssh{.config = Lab::folder().toStdString() + "/ssh_config"};
        AgentLaunchRequest order = orderOf(lab);
        order.agent = name.toStdString();
        order.generation = 1;
        SecondLead older(ssh, order, RINGMASTER_BUILD_DIR "/bin/ringmaster");
        QVERIFY(!older.heartbeat());
        QVERIFY2(Lab::left("lab1").contains("sleep 600"), Lab::left("lab1"));
        order.generation = SecondLead::Newest;
        SecondLead newer(ssh, order, RINGMASTER_BUILD_DIR "/bin/ringmaster");
        QVERIFY(newer.heartbeat());
        QVERIFY2(!Lab::left("lab1").contains("sleep 600"), Lab::left("lab1"));
        const auto outcome = Ringmaster::finish(*process, ForProcesses);
        QVERIFY2(outcome.exitCode == 1, outcome.error);
        QCOMPARE(lab.show().value("reason").toObject().value("code").toString(),
                 QString("LeadReplaced"));
        QVERIFY(newer.stop());
        (void)newer.heartbeat(true);
        for (const char* host : {"lab1", "lab2"})
            QTRY_VERIFY2_WITH_TIMEOUT(Lab::left(host).isEmpty(), Lab::left(host), ForProcesses);
    }

    void anotherLeadTakesARunOver_data()
    {
        QTest::addColumn<bool>("isClosed"); ///< Somebody has looked, and closed it as lost.
        QTest::addColumn<bool>("isBehind"); ///< Its clock was set back since.
        QTest::newRow("at once") << false << false;
        QTest::newRow("after it was closed as lost") << true << false;
        QTest::newRow("though its clock is behind") << false << true;
    }

    void anotherLeadTakesARunOver()
    {
        QFETCH(bool, isClosed);
        QFETCH(bool, isBehind);
        Lab lab;
        if (isBehind)
            lab.ringmaster().environment().insert("LD_PRELOAD", RINGMASTER_HOUR_AHEAD);
        const QStringList words = run({"--hosts", "lab1,lab2", "--max-restarts", "0"},
                                      "i=0; until [ -e /tmp/enough ]; do echo line $((i = i + 1)) "
                                      "of $RANK; sleep 0.1; done");
        const auto process = lab.start(words);
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).contains("line 9 of 0") &&
                                      text.contains("line 9 of 1"),
                                  text, ForProcesses);
        process->kill();
        process->waitForFinished();
        lab.ringmaster().environment().remove("LD_PRELOAD");
        const QString id = lab.ringmaster().runs().first();
        if (isClosed) {
            const QByteArray listed = lab.ringmaster().run({"ps"}).error;
            QVERIFY2(listed.contains("lab1, lab2 may still work for it"), listed);
            const auto json =
                QJsonDocument::fromJson(lab.ringmaster().run({"ps", "--json"}).output);
            QCOMPARE(json[0]["hostsAtWork"]["hosts"].toArray(), (QJsonArray{"lab1", "lab2"}));
            QVERIFY2(lab.ringmaster().run({"clean"}).error.contains("ringmaster takeover " +
                                                                    id.toUtf8()),
                     listed);
            QVERIFY(lab.ringmaster().run({"show", id}).output.contains("lab1, lab2 may still"));
        }
        const auto second = lab.start({"takeover", id});
        QByteArray told;
        QTRY_VERIFY2_WITH_TIMEOUT(
            (told += second->readAllStandardError()).count(": connected") == 2, told, ForProcesses);
        QByteArray later;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*second, later).count('\n') > 4, later, ForProcesses);
        QCOMPARE(lab.show().value("state").toString(), QString("running"));
        for (const char* host : {"lab1", "lab2"})
            Lab::on(host, {"touch", "/tmp/enough"});
        const auto outcome = Ringmaster::finish(*second, ForProcesses);
        for (const char* host : {"lab1", "lab2"})
            Lab::on(host, {"rm", "-f", "/tmp/enough"});
        QVERIFY2(outcome.exitCode == 0, told + outcome.error);
        QVERIFY2(QString(outcome.error)
                     .contains(QRegularExpression("succeeded after (\\d+ min )?[0-9.]+ s ")),
                 outcome.error);
        QCOMPARE(lab.show().value("state").toString(), QString("succeeded"));
        QCOMPARE(restartsIn(lab), 0);
        // The record has each line once, though two leads have written it.
        const QByteArray logs = lab.ringmaster().run({"logs", id, "--rank", "0"}).output;
        const qsizetype lines = logs.count('\n');
        for (int line = 1; line <= lines; ++line)
            QVERIFY2(logs.count("line " + QByteArray::number(line) + " of 0\n") == 1, logs);
        for (const char* host : {"lab1", "lab2"})
            QTRY_VERIFY2_WITH_TIMEOUT(Lab::left(host).isEmpty(), Lab::left(host), ForProcesses);
        QVERIFY(lab.ringmaster().run({"takeover", id}).error.contains("can't be taken over"));
    }

    void whateverIsKilledNothingIsLeft_data()
    {
        QTest::addColumn<QString>("host"); ///< Empty: here.
        QTest::addColumn<QString>("victim");
        QTest::newRow("lead") << ""
                              << "ringmaster run";
        QTest::newRow("ssh") << ""
                             << "ssh .*-- lab1 sh";
        QTest::newRow("shared connection") << ""
                                           << "ssh: .*mux";
        QTest::newRow("agent") << "lab1"
                               << "agent host";
        QTest::newRow("keeper") << "lab2"
                                << "ringmaster-keeper";
        QTest::newRow("worker") << "lab1"
                                << "sleep 600";
        QTest::newRow("what a worker started") << "lab2"
                                               << "sleep 601";
        QTest::newRow("sshd's session") << "lab2"
                                        << "sshd: root";
        QTest::newRow("all of Ringmaster on a host") << "lab1"
                                                     << "ringmaster";
    }

    /// RINGMASTER_KILLS=6 is more than fifty.
    void whateverIsKilledNothingIsLeft()
    {
        QFETCH(QString, host);
        QFETCH(QString, victim);
        // With 2 s a connection to a busy machine is given up after one: none might be there.
        const bool isConnection = host.isEmpty() && victim.startsWith("ssh");
        const QString timeouts = isConnection ? "lead_timeout=1" : "lead_timeout=1,node_timeout=2";
        const int times = qEnvironmentVariable("RINGMASTER_KILLS", "1").toInt();
        for (int i = 0; i < times; ++i) {
            Lab lab;
            const auto process =
                lab.start(run({"--hosts", "lab1,lab2", "--rdzv-conf", timeouts},
                              "setsid sleep 601 & echo here $RANK; exec sleep 600"));
            QByteArray text;
            QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count("here") == 2, text,
                                      ForProcesses);
            const QStringList kill{"pkill", "-KILL", "-f", victim};
            if (host.isEmpty())
                QCOMPARE(QProcess::execute(kill.first(), kill.mid(1)), 0);
            else
                Lab::on(host, kill);
            ::kill(static_cast<pid_t>(process->processId()), SIGINT);
            const auto outcome = Ringmaster::finish(*process, ForProcesses);
            QVERIFY2(outcome.exitCode != 0 && !outcome.error.startsWith("too slow"), outcome.error);
            for (const char* each : {"lab1", "lab2"})
                QTRY_VERIFY2_WITH_TIMEOUT(Lab::left(each).isEmpty(), Lab::left(each), ForProcesses);
        }
    }

    void withoutItsLeadAnAgentEnds()
    {
        Lab lab;
        const auto process =
            lab.start(run({"--hosts", "lab1", "--rdzv-conf", "lead_timeout=2,node_timeout=2"},
                          "echo here; exec sleep 600"));
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).contains("here"), text, ForProcesses);
        process->kill();
        process->waitForFinished();
        QTRY_VERIFY2_WITH_TIMEOUT(Lab::left("lab1").isEmpty(), Lab::left("lab1"), ForProcesses);
    }

private:
    /// As the lead of the last run orders its first agent.
    static AgentLaunchRequest orderOf(Lab& lab)
    {
        const std::string id = lab.ringmaster().runs().first().toStdString();
        const auto folder = RunFolder::find(lab.ringmaster().runsFolder().toStdString(), id);
        JobSpec spec = parseJobFile(folder->openReader()->snapshot()->started.jobFile)->spec;
        spec.hosts.clear();
        spec.nodes = {};
        return {.run = id, .host = "lab1", .jobFile = *jobFileText(spec), .workingFolder = "/"};
    }

    /// Milliseconds that ssh takes by itself.
    static qint64 loginTime()
    {
        QElapsedTimer timer;
        timer.start();
        QProcess::execute(
            "ssh", {"-F", Lab::folder() + "/ssh_config", "-o", "BatchMode=yes", "lab2", "true"});
        qInfo("a login took %.1f s", double(timer.elapsed()) / 1000);
        return timer.elapsed();
    }

    /// Charged or not.
    static int restartsIn(Lab& lab)
    {
        const auto folder = RunFolder::find(lab.ringmaster().runsFolder().toStdString(),
                                            lab.ringmaster().runs().first().toStdString());
        const auto events = folder->openReader()->events();
        return static_cast<int>(std::ranges::count_if(*events, [](const Event& event) {
            return std::holds_alternative<GroupRestarting>(event.body);
        }));
    }

    /// The numbers of its workers' lines, by the port of their round.
    static QMap<QByteArray, QList<int>> linesOfLab1(const QByteArray& output)
    {
        QMap<QByteArray, QList<int>> byPort;
        for (const QByteArray& line : output.split('\n')) {
            const QList<QByteArray> words = line.split(' ');
            if (words.size() == 9 && words.at(6) == "lab1")
                byPort[words.at(4)].append(words.at(2).toInt());
        }
        return byPort;
    }

    /// Of lab1's first workers: each line once, and more than had come before the cable was cut.
    static void checkLines(const QByteArray& output, qsizetype before)
    {
        const auto byPort = linesOfLab1(output);
        QVERIFY2(byPort.size() == 2, output);
        for (const QList<int>& lines : byPort)
            for (int i = 0; i < lines.size(); ++i)
                QVERIFY2(lines.at(i) == i + 1, output);
        QVERIFY2(std::max(byPort.first().size(), byPort.last().size()) > before, output);
    }
};

int main_tst_lost_hosts(int argc, char** argv)
{
    return runInLab(argc, argv, "3", [](int count, char** words) {
        QCoreApplication application(count, words);
        tst_lost_hosts test;
        return QTest::qExec(&test, count, words);
    });
}

#include "tst_lost_hosts.moc"
