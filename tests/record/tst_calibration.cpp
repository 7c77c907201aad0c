#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/record/Calibration.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace ringmaster;

namespace {

Event event(EventBody body)
{
    return {.id = {.run = "run-1"}, .at = {1, 1'700'000'000'000}, .node = "here", .body = body};
}

SweepRow row(const char* backend, const char* collective, std::int64_t bytes, double bandwidth)
{
    return {.collective = collective,
            .backend = backend,
            .device = "cpu",
            .type = "float32",
            .ranks = 4,
            .bytes = bytes,
            .timeNs = 2000,
            .p50Ns = 1000,
            .busBandwidth = bandwidth / 2};
}

std::vector<Event> calibratingRun()
{
    return {event(AttemptStarted{}),
            event(SweepPlan{.isCalibration = true,
                            .collectives = {"all_reduce"},
                            .backends = {"gloo", "ring"},
                            .sizes = {1024, 1 << 20U},
                            .ranks = 4}),
            event(row("gloo", "all_reduce", 1024, 1e8)),
            event(row("gloo", "all_reduce", 1 << 20U, 5e8)),
            event(row("ring", "all_reduce", 1024, 9e8)),
            event(row("ring", "all_reduce", 1 << 20U, 6e8))};
}

} // namespace

/// What this machine can reach, kept between runs.
class tst_calibration : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_temporary;
    std::filesystem::path folder() const
    {
        return m_temporary.filePath(QTest::currentTestFunction()).toStdString();
    }

private Q_SLOTS:
    void comesFromARunThatMeasuredEverything()
    {
        auto events = calibratingRun();
        const auto found = calibrationsOf(events);
        QCOMPARE(found.size(), size_t{2});
        QCOMPARE(found[0].backend, std::string("gloo"));
        QCOMPARE(found[0].hosts, std::vector<std::string>{"here"});
        QCOMPARE(found[0].run, std::string("run-1"));
        QCOMPARE(found[1].points.size(), size_t{2});
        events.pop_back();
        QVERIFY(calibrationsOf(events).empty());
        QVERIFY(calibrationsOf({}).empty());
    }

    void anOrdinarySweepIsNone()
    {
        auto events = calibratingRun();
        std::get<SweepPlan>(events[1].body).isCalibration = false;
        QVERIFY(calibrationsOf(events).empty());
    }

    void aLeadsIsOfTheHostsByTheirNames()
    {
        const auto of = [](const char* agent, EventBody body) {
            Event told = ::event(std::move(body));
            told.id.agent = agent;
            told.node = std::string("machine-") + agent;
            return told;
        };
        auto events = calibratingRun();
        events.erase(events.begin());
        events.insert(events.begin(), {of("0", HostChanged{.agent = "1", .host = "gpu2"}),
                                       of("0", HostChanged{.agent = "2", .host = "gpu1"}),
                                       of("1", AttemptStarted{}), of("2", AttemptStarted{})});
        const auto found = calibrationsOf(events);
        QCOMPARE(found.size(), size_t{2});
        QCOMPARE(found[0].hosts, (std::vector<std::string>{"gpu1", "gpu2"}));
        QVERIFY(found[0].isOfPair());
        // One far host is no pair, and its calibration isn't this machine's.
        std::erase_if(events, [](const Event& told) { return told.id.agent == "2"; });
        QVERIFY(calibrationsOf(events).empty());
    }

    void eachPairAndEachMachineKeepsItsOwn()
    {
        Calibration one = calibrationsOf(calibratingRun())[0];
        const auto keep = [&](std::vector<std::string> hosts, const std::string& machine) {
            one.hosts = std::move(hosts);
            one.machine = machine;
            return keepCalibration(one, folder()).has_value();
        };
        QVERIFY(keep({"a.b", "c"}, machineIdentity()));
        QVERIFY(keep({"a_b", "c"}, machineIdentity()));
        QVERIFY(keep({"a", "b_c"}, machineIdentity()));
        QCOMPARE(readCalibrations(folder()).size(), size_t{3});
        QVERIFY(keep({"a", "b_c"}, "another machine with the same home"));
        QCOMPARE(readCalibrations(folder()).size(), size_t{3});
    }

    void theCeilingIsTheBestUpToTheSize()
    {
        const Calibration ring = calibrationsOf(calibratingRun())[1];
        QVERIFY(!ring.ceiling("all_reduce", 8).has_value());
        QVERIFY(!ring.ceiling("broadcast", 1 << 20U).has_value());
        QCOMPARE(ring.ceiling("all_reduce", 5000).value(), 9e8);
        QCOMPARE(ring.ceiling("all_reduce", std::int64_t{1} << 30U).value(), 9e8);
    }

    void isKeptAndReplaced()
    {
        auto found = calibrationsOf(calibratingRun());
        for (const Calibration& one : found)
            QVERIFY(keepCalibration(one, folder()).has_value());
        QCOMPARE(readCalibrations(folder()).size(), size_t{2});
        found[1].measuredAtNs += 1;
        found[1].points.front().busBandwidth = 1e9;
        QVERIFY(keepCalibration(found[1], folder()).has_value());
        const auto read = readCalibrations(folder());
        QCOMPARE(read.size(), size_t{2});
        QVERIFY(read.front() == found[1]);
        QVERIFY(read.back() == found[0]);
    }

    void whatIsDamagedOrAnothersIsLeftOut_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::newRow("no JSON") << QByteArray("{") << QByteArray("");
        QTest::newRow("format") << QByteArray("\"format\": 1") << QByteArray("\"format\": 2");
        QTest::newRow("type") << QByteArray("\"ranks\": 4") << QByteArray("\"ranks\": \"4\"");
        QTest::newRow("missing") << QByteArray("\"backend\"") << QByteArray("\"front\"");
        QTest::newRow("no bandwidth") << QByteArray("1e8") << QByteArray("-1");
        QTest::newRow("one rank") << QByteArray("\"ranks\": 4") << QByteArray("\"ranks\": 1");
        QTest::newRow("another machine") << QByteArray(" x ") << QByteArray(" y ");
    }

    void whatIsDamagedOrAnothersIsLeftOut()
    {
        QFETCH(const QByteArray, before);
        QFETCH(const QByteArray, after);
        const auto place = folder() / QTest::currentDataTag();
        QVERIFY(keepCalibration(calibrationsOf(calibratingRun())[0], place).has_value());
        QCOMPARE(readCalibrations(place).size(), size_t{1});
        const auto file = std::filesystem::directory_iterator(place)->path();
        QByteArray text = QByteArray::fromStdString(readFile(file).value());
        text.replace("100000000.0", "1e8");
        QVERIFY2(text.contains(before), text);
        text.replace(before, after);
        QVERIFY(
            writeFileAtomically(file, text.toStdString(), 0600, Durability::Relaxed).has_value());
        QVERIFY(readCalibrations(place).empty());
    }

    void aFolderThatIsNotThereHasNone() { QVERIFY(readCalibrations(folder() / "nowhere").empty()); }
};

QTEST_GUILESS_MAIN(tst_calibration)
#include "tst_calibration.moc"
