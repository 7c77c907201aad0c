#include "tests/hosts/Lab.h"
#include "tests/support/TorchInterpreter.h"

#include <QJsonArray>
#include <QJsonObject>

#include <csignal>

namespace {

constexpr int ForTorch = 180'000;

/// What the host may send, by the kernel's own token bucket; nothing: as much as it can.
bool limit(const QString& host, const char* rate)
{
    QProcess tc;
    tc.start(RINGMASTER_SOURCE_DIR "/tests/labs/hosts.sh",
             {"on", host, "tc", "qdisc", "replace", "dev", "eth0", "root", "tbf", "rate", rate,
              "burst", "256kb", "latency", "200ms"});
    return tc.waitForFinished(60'000) && tc.exitCode() == 0;
}

} // namespace

/// What the ways between hosts can, and a job on one that does less.
class tst_wires : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("RINGMASTER_NO_LAB"))
            QSKIP(qPrintable(qEnvironmentVariable("RINGMASTER_NO_LAB")));
        if (!QFile::exists(RINGMASTER_BUILD_DIR "/bin/ringmaster-sweep"))
            QSKIP("the sweep's worker isn't built");
        if (ringmaster::test::torchInterpreter().isEmpty())
            QSKIP("no interpreter with torch");
        if (!limit("lab1", "200mbit") || !limit("lab2", "200mbit"))
            QSKIP("this kernel has no token bucket (sch_tbf)");
        m_lab = std::make_unique<Lab>();
    }

    void cleanupTestCase() { m_lab.reset(); }

    void apartFromPairsNothingIsCalibrated()
    {
        const auto one = m_lab->ringmaster().run({"calibrate", "--hosts", "lab1"});
        QCOMPARE(one.exitCode, 2);
        QVERIFY2(one.error.contains("between two hosts"), one.error);
    }

    void aPairIsCalibratedAndKept()
    {
        const auto measuring =
            m_lab->start({"calibrate", "--hosts", "lab1,lab2", "--backend", "gloo", "--json"});
        const auto calibrated = Ringmaster::finish(*measuring, ForTorch);
        QVERIFY2(calibrated.exitCode == 0, calibrated.error);
        const QJsonArray kept = QJsonDocument::fromJson(calibrated.output).array();
        QVERIFY2(kept.size() == 1, calibrated.output);
        QCOMPARE(kept[0]["hosts"].toArray(), QJsonArray({"lab1", "lab2"}));
        QCOMPARE(kept[0]["ranks"].toInt(), 2);
        int large = 0;
        for (const QJsonValue& point : kept[0]["points"].toArray()) {
            // What fits into the bucket passes at once, and it is full again after a pause.
            if (point["bytes"].toInt() < 1 << 20)
                continue;
            ++large;
            QVERIFY2(point["busBandwidth"].toDouble() < 200e6 / 8 * 1.5, calibrated.output);
        }
        QVERIFY2(large > 0, calibrated.output);
        const auto shown = m_lab->ringmaster().run({"calibrate", "--show"});
        QVERIFY2(shown.output.contains("gloo, 2 ranks between lab1 and lab2"), shown.output);
    }

    /// A wire that is as it was calibrated is nobody's fault; the same one at a third is named.
    void theSlowPairIsNamedAndNoOther()
    {
        const auto job = m_lab->start({"run", "--python", ringmaster::test::torchInterpreter(),
                                       "--hosts", "lab1,lab2", "sums.py", "100000"});
        QByteArray text;
        const auto told = [&]() -> QByteArray& {
            job->waitForReadyRead(50);
            text += job->readAllStandardOutput() + job->readAllStandardError();
            return text;
        };
        // More than the diagnosis looks back.
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains("step 300 of"), text, ForTorch);
        QVERIFY2(!text.contains("promised"), text);
        QVERIFY(limit("lab2", "60mbit"));
        QTRY_VERIFY2_WITH_TIMEOUT(
            told().contains("all_reduce between lab1 and lab2 (ranks 0 and 1)"), text, ForTorch);
        QTRY_VERIFY2(told().contains("calibrate --hosts lab1,lab2"), text); // two lines later
        QVERIFY2(!text.contains("straggler") && !text.contains("comes last"), text);
        QVERIFY(limit("lab2", "200mbit"));
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains("It holds no longer"), text, ForTorch);
        ::kill(static_cast<pid_t>(job->processId()), SIGINT);
        QCOMPARE(Ringmaster::finish(*job, ForTorch).exitCode, 1);
        verdictIsInTheFile();
    }

private:
    void verdictIsInTheFile()
    {
        const auto events = m_lab->ringmaster().run({"show", "--json", "--events"});
        QVERIFY2(events.exitCode == 0, events.error);
        const auto all = QJsonDocument::fromJson(events.output)["events"].toArray();
        int slow = 0;
        for (const QJsonValue& event : all) {
            if (event["kind"] != "verdict" || event["verdict"] != "slowWire" ||
                !event["isStanding"].toBool())
                continue;
            ++slow;
            QCOMPARE(event["isSure"].toBool(), true);
            QCOMPARE(event["evidence"].toArray().size(), 1);
        }
        QVERIFY2(slow >= 1, events.output.right(4000));
    }

    std::unique_ptr<Lab> m_lab;
};

int main_tst_wires(int argc, char** argv)
{
    return runInLab(argc, argv, "2", [](int count, char** words) {
        QCoreApplication application(count, words);
        tst_wires test;
        return QTest::qExec(&test, count, words);
    });
}

#include "tst_wires.moc"
