#include "app/widget/PlotCursor.h"

#include <QtTest>

using namespace ringmaster::app;

namespace {

const PlotAxis TenWide{.from = 0, .to = 10};

PlotSeries lineAt(const std::vector<double>& places)
{
    PlotSeries line;
    for (const double x : places)
        line.points.emplace_back(x, 1);
    return line;
}

} // namespace

class tst_plot_cursor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stepsFromPointToPointAndStopsAtTheEnds()
    {
        PlotCursor cursor;
        const PlotSeries line = lineAt({1, 4, 9});
        for (const double x : {1.0, 4.0, 9.0, 9.0}) {
            QVERIFY(cursor.step(1, line, TenWide));
            QCOMPARE(cursor.at().value(), x);
        }
        QVERIFY(cursor.step(-PlotCursor::All, line, TenWide));
        QCOMPARE(cursor.at().value(), 1.0);
    }

    void beginsAtTheSideItComesFrom()
    {
        PlotCursor cursor;
        QVERIFY(cursor.step(-1, lineAt({1, 4, 9}), TenWide));
        QCOMPARE(cursor.at().value(), 9.0);
    }

    void goesOnFromTheMouse()
    {
        PlotCursor cursor;
        cursor.pointAt(0.45, TenWide);
        QVERIFY(cursor.step(1, lineAt({1, 4, 9}), TenWide));
        QCOMPARE(cursor.at().value(), 9.0);
    }

    void staysOnTheAxis()
    {
        PlotCursor cursor;
        QVERIFY(cursor.step(PlotCursor::All, lineAt({-3, 2, 30}), TenWide));
        QCOMPARE(cursor.at().value(), 2.0);
        cursor.clear();
        QVERIFY(!cursor.step(1, lineAt({-3, 30}), TenWide));
        QVERIFY(!cursor.at());
    }
};

QTEST_GUILESS_MAIN(tst_plot_cursor)
#include "tst_plot_cursor.moc"
