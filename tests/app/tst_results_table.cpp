#include "app/history/ResultsTable.h"
#include "app/widget/Tokens.h"

#include <QHeaderView>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

/// Two runs, the second of which is shorter and began sooner.
std::vector<ComparedRun> twoRuns()
{
    std::vector<ComparedRun> runs(2);
    runs[0].health = Health::Finished;
    runs[0].durationNs = 20'000'000'000;
    runs[0].firstCollective = 4;
    runs[1].health = Health::Failed;
    runs[1].durationNs = 10'000'000'000;
    runs[1].firstCollective = 2;
    return runs;
}

} // namespace

class tst_results_table : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRunIsAColumn()
    {
        CompareTable table;
        table.begin(2, Qt::AlignLeft);
        table.addRow(QStringLiteral("arguments"), {QStringLiteral("a"), QStringLiteral("b")});
        QCOMPARE(table.columnCount(), 3);
        QCOMPARE(table.horizontalHeaderItem(1)->text(), QStringLiteral("A"));
        QCOMPARE(table.horizontalHeaderItem(2)->text(), QStringLiteral("B"));
        QCOMPARE(table.item(0, 2)->text(), QStringLiteral("b"));
        QCOMPARE(table.item(0, 2)->toolTip(), QStringLiteral("b"));
        table.begin(3, Qt::AlignLeft);
        QCOMPARE(table.rowCount(), 0);
    }

    void allOfAFewRowsAreInSight()
    {
        CompareTable table;
        table.begin(1, Qt::AlignLeft);
        for (int i = 0; i < 5; ++i)
            table.addRow(QStringLiteral("row"), {QStringLiteral("value")});
        table.fitHeight(false);
        QVERIFY(table.minimumHeight() > table.verticalHeader()->length());
        QCOMPARE(table.maximumHeight(), table.minimumHeight());
        QCOMPARE(table.verticalScrollBarPolicy(), Qt::ScrollBarAlwaysOff);
        for (int i = 0; i < 100; ++i)
            table.addRow(QStringLiteral("row"), {QStringLiteral("value")});
        table.fitHeight(true);
        QVERIFY(table.minimumHeight() < table.verticalHeader()->length());
        QCOMPARE(table.verticalScrollBarPolicy(), Qt::ScrollBarAsNeeded);
        QCOMPARE(table.maximumHeight(), QWIDGETSIZE_MAX);
    }

    void whatIsBetterIsSaidInColour()
    {
        const auto runs = twoRuns();
        ResultsTable table;
        table.showRuns(runs, RunComparison::of(runs));
        const QColor better(themeTokens().finished.text);
        const int row = rowOf(table, QStringLiteral("Launch to first collective"));
        QVERIFY(row >= 0);
        QVERIFY(table.item(row, 2)->text().contains(QStringLiteral("0.5 ×")));
        QCOMPARE(table.item(row, 2)->foreground().color(), better);
        QVERIFY(table.item(row, 1)->foreground().color() != better);
        // A run that is over sooner isn't better for that.
        const int duration = rowOf(table, QStringLiteral("Duration"));
        QVERIFY(table.item(duration, 2)->foreground().color() != better);
    }

    void restartsAreToldWhereThereWereAny()
    {
        auto runs = twoRuns();
        ResultsTable table;
        table.showRuns(runs, RunComparison::of(runs));
        QVERIFY(rowOf(table, QStringLiteral("Ended as")) >= 0);
        QCOMPARE(table.item(rowOf(table, QStringLiteral("Verdicts")), 1)->text(),
                 QStringLiteral("none"));
        QCOMPARE(rowOf(table, QStringLiteral("Restarted because")), -1);
        runs[1].restarts.push_back({code::None, {}, {}});
        table.showRuns(runs, RunComparison::of(runs));
        QVERIFY(rowOf(table, QStringLiteral("Restarted because")) >= 0);
        table.showColumns(2);
        QCOMPARE(table.rowCount(), 0);
    }

private:
    static int rowOf(const QTableWidget& table, const QString& title)
    {
        for (int row = 0; row < table.rowCount(); ++row)
            if (table.item(row, 0)->text() == title)
                return row;
        return -1;
    }
};

QTEST_MAIN(tst_results_table)
#include "tst_results_table.moc"
