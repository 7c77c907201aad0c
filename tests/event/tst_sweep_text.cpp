#include "engine/base/Codes.h"
#include "engine/event/SweepText.h"

#include <QtTest>

using namespace ringmaster;

namespace {

SweepRow measured()
{
    return {.collective = "all_reduce",
            .backend = "ring",
            .algorithm = "tree",
            .device = "cpu",
            .type = "float32",
            .reduction = "sum",
            .ranks = 4,
            .wantedBytes = 1'048'576,
            .bytes = 1'048'576,
            .count = 262'144,
            .iterations = 20,
            .timeNs = 140'400,
            .minNs = 130'000,
            .p50Ns = 139'000,
            .p99Ns = 168'500,
            .algorithmBandwidth = 7.468e9,
            .busBandwidth = 11.202e9,
            .wrong = 0};
}

} // namespace

class tst_sweep_text : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasTheColumnsOfNcclTests()
    {
        const QString line = QString::fromStdString(sweepLine(measured())).simplified();
        QCOMPARE(line, QString("1048576 262144 float32 sum -1 140.40 7.47 11.20 139.00 168.50 0 "
                               "tree"));
        const QString header = QString::fromStdString(sweepHeader());
        QVERIFY(header.contains("busbw") && header.contains("#wrong"));
    }

    void keepsTheColumnsWhereNumbersAreLarge()
    {
        SweepRow row = measured();
        row.timeNs = 123'456'789'012'345;
        row.p99Ns = 12'345'678'901;
        const std::string line = sweepLine(row);
        QCOMPARE(line.size(), sweepLine(measured()).size());
        QVERIFY2(line.find("1.2e+11") != std::string::npos, line.c_str());
        QVERIFY2(line.find("12345679") != std::string::npos, line.c_str());
    }

    void saysWhatWasNotChecked()
    {
        SweepRow row = measured();
        row.wrong = -1;
        QVERIFY(sweepLine(row).find("N/A") != std::string::npos);
    }

    void aSpreadsheetReadsIt()
    {
        SweepRow refused{.collective = "reduce",
                         .backend = "gloo",
                         .device = "cpu",
                         .type = "int8",
                         .root = 0,
                         .ranks = 2,
                         .wantedBytes = 8};
        refused.problem = {code::FileNotFound, {{"path", "a \"b\", c"}}, {}};
        const QStringList lines =
            QString::fromStdString(sweepCsv({measured(), refused})).split("\r\n");
        QCOMPARE(lines.size(), 4);
        QCOMPARE(lines[0].count(','), 19);
        QCOMPARE(lines[1], QString("all_reduce,ring,tree,cpu,float32,sum,-1,4,1,1048576,262144,20,"
                                   "140.400,130.000,139.000,168.500,7.468,11.202,0,"));
        QVERIFY2(lines[2].startsWith("reduce,gloo,,cpu,int8,none,0,2,1,8,0,,,,,,,,,\""),
                 qPrintable(lines[2]));
        QVERIFY(lines[2].contains("\"\"b\"\""));
    }
};

QTEST_GUILESS_MAIN(tst_sweep_text)
#include "tst_sweep_text.moc"
