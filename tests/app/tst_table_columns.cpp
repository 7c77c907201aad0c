#include "app/widget/TableColumns.h"
#include "app/widget/TableLook.h"
#include "tests/TestMain.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QStandardItemModel>
#include <QTableView>
#include <QtTest>

using namespace ringmaster::app;

namespace {

/// Rank, State, Pid, CPU and Exit: the last takes what is left.
struct FiveColumns
{
    explicit FiveColumns(TableColumns::Room room = {
                             .widths = {100, 120, 90, 110}, .lastWidth = 150, .givingWay = {2, 3}})
    {
        model.setHorizontalHeaderLabels(QStringLiteral("Rank State Pid CPU Exit").split(u' '));
        model.appendRow(
            {new QStandardItem(QStringLiteral("0")), new QStandardItem(QStringLiteral("Running"))});
        view.setModel(&model);
        dressTable(view);
        columns = new TableColumns(view, QStringLiteral("test"), std::move(room));
        view.resize(800, 300);
        view.show();
    }

    QList<int> shown() const
    {
        QList<int> found;
        for (int column = 0; column < model.columnCount(); ++column)
            if (!view.isColumnHidden(column))
                found << column;
        return found;
    }

    /// As the key for menus asks for it.
    QMenu* menu()
    {
        QContextMenuEvent asked(QContextMenuEvent::Keyboard, QPoint(), QPoint());
        QApplication::sendEvent(&view, &asked);
        return view.findChild<QMenu*>();
    }

    QAction* action(QStringView text)
    {
        for (QAction* each : menu()->actions())
            if (each->text() == text)
                return each;
        return nullptr;
    }

    QStandardItemModel model;
    QTableView view;
    TableColumns* columns = nullptr;
};

} // namespace

class tst_table_columns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QSettings().remove(QStringLiteral("columns")); }
    void cleanup() { QSettings().remove(QStringLiteral("columns")); }

    void aLongTextThatComesIntoSightWidensItsColumn()
    {
        FiveColumns table;
        QVERIFY(QTest::qWaitForWindowExposed(&table.view, 60'000));
        for (int row = 0; row < 60; ++row)
            table.model.appendRow(new QStandardItem(row == 50 ? QStringLiteral("134,217,728,000")
                                                              : QStringLiteral("8")));
        table.view.resize(900, 300);
        QTRY_COMPARE(table.view.columnWidth(0), 100);
        table.view.scrollToBottom();
        const int needed =
            table.view.fontMetrics().horizontalAdvance(QStringLiteral("134,217,728,000"));
        QTRY_VERIFY2(table.view.columnWidth(0) > needed,
                     qPrintable(QString::number(table.view.columnWidth(0))));
    }

    /// Its text has as many letters as one that was there before.
    void otherDigitsHaveTheirRoom()
    {
        FiveColumns table({.widths = {112, 60, 60, 60}, .lastWidth = 150});
        const QString narrow = QStringLiteral("1111/11/11 11:11");
        const QString wide = QStringLiteral("2006/06/26 20:04");
        QVERIFY(QTest::qWaitForWindowExposed(&table.view, 60'000));
        const QFontMetrics metrics = table.view.fontMetrics();
        const int padding = 12;
        table.model.item(0, 0)->setText(narrow);
        QTRY_VERIFY(table.view.columnWidth(0) >= metrics.horizontalAdvance(narrow) + padding);
        table.model.appendRow(new QStandardItem(wide));
        QTRY_VERIFY2(table.view.columnWidth(0) >= metrics.horizontalAdvance(wide) + padding,
                     qPrintable(QString::number(table.view.columnWidth(0))));
    }

    void whatTheLastDoesNotNeedIsSharedUpToALimit()
    {
        FiveColumns table({.widths = {100, 120, 90, 110},
                           .lastWidth = 150,
                           .givingWay = {2},
                           .growing = {{1, 200}, {3, 400}}});
        const auto width = [&](int column) { return table.view.columnWidth(column); };
        table.view.resize(1400, 300);
        QTRY_COMPARE(width(1), 200);
        QTRY_COMPARE(width(3), 400);
        QVERIFY(width(4) >= 150);
        // They are as they were before one gives way.
        table.view.resize(600, 300);
        QTRY_COMPARE(table.shown(), (QList<int>{0, 1, 2, 3, 4}));
        QTRY_VERIFY2(width(1) < 140 && width(3) < 140, qPrintable(QString::number(width(3))));
        // What somebody chose with the mouse stays.
        table.view.horizontalHeader()->resizeSection(3, 130);
        table.view.resize(1400, 300);
        QTRY_COMPARE(width(1), 200);
        QCOMPARE(width(3), 130);
    }

    void thoseOfLeastWorthGiveWayFirst()
    {
        FiveColumns table;
        QTRY_COMPARE(table.shown(), (QList<int>{0, 1, 2, 3, 4}));
        table.view.resize(520, 300);
        QTRY_COMPARE(table.shown(), (QList<int>{0, 1, 3, 4}));
        table.view.resize(300, 300);
        QTRY_COMPARE(table.shown(), (QList<int>{0, 1, 4}));
        table.view.resize(800, 300);
        QTRY_COMPARE(table.shown(), (QList<int>{0, 1, 2, 3, 4}));
        QCOMPARE(table.view.columnWidth(2), 90);
    }

    /// Then the one before it takes the rest, and is no wider than it was where it doesn't.
    void theLastMayGiveWay()
    {
        FiveColumns table;
        table.action(u"Exit")->trigger();
        QTRY_COMPARE(table.shown(), (QList<int>{0, 1, 2, 3}));
        QTRY_VERIFY(table.view.columnWidth(3) > 300);
        table.action(u"Exit")->trigger();
        QTRY_COMPARE(table.shown(), (QList<int>{0, 1, 2, 3, 4}));
        QCOMPARE(table.view.columnWidth(3), 110);
    }

    void aWidthThatAUserGaveIsKept()
    {
        FiveColumns table;
        table.view.horizontalHeader()->resizeSection(2, 200);
        table.view.resize(520, 300);
        QTRY_COMPARE(table.shown(), (QList<int>{0, 1, 3, 4}));
        table.view.resize(900, 300);
        QTRY_COMPARE(table.shown(), (QList<int>{0, 1, 2, 3, 4}));
        QCOMPARE(table.view.columnWidth(2), 200);
    }

    void aTextThatIsALittleLongerHasItsRoom()
    {
        FiveColumns table;
        QVERIFY(QTest::qWaitForWindowExposed(&table.view, 60'000));
        QCOMPARE(table.view.columnWidth(2), 90);
        table.model.setItem(0, 2, new QStandardItem(QStringLiteral("413.5 KiB / s")));
        const auto needed = [&table] {
            return table.view.fontMetrics().horizontalAdvance(QStringLiteral("413.5 KiB / s"));
        };
        QTRY_VERIFY2(table.view.columnWidth(2) > std::max(90, needed()),
                     qPrintable(QString::number(table.view.columnWidth(2))));
        const int width = table.view.columnWidth(2);
        table.model.item(0, 2)->setText(QStringLiteral("1"));
        QCoreApplication::processEvents();
        QCOMPARE(table.view.columnWidth(2), width); // what is beside it stays where it is
        table.model.item(0, 2)->setText(QString(400, u'x'));
        QTRY_VERIFY(table.view.columnWidth(2) > width);
        QVERIFY(table.view.columnWidth(2) < 200);
        QCOMPARE(table.shown(), (QList<int>{0, 1, 2, 3, 4}));
    }

    void aWidthThatAUserGaveStaysWhateverComes()
    {
        FiveColumns table;
        QVERIFY(QTest::qWaitForWindowExposed(&table.view, 60'000));
        table.view.horizontalHeader()->resizeSection(2, 60);
        table.model.setItem(0, 2, new QStandardItem(QStringLiteral("413.5 KiB / s")));
        QCoreApplication::processEvents();
        QCOMPARE(table.view.columnWidth(2), 60);
    }

    void whatAUserChoosesIsShownWhateverTheRoom()
    {
        {
            FiveColumns table;
            table.action(u"CPU")->trigger();
            QTRY_COMPARE(table.shown(), (QList<int>{0, 1, 2, 4}));
            table.view.resize(300, 300);
            QCoreApplication::processEvents();
            QCOMPARE(table.shown(), (QList<int>{0, 1, 2, 4}));
        }
        FiveColumns again;
        QTRY_COMPARE(again.shown(), (QList<int>{0, 1, 2, 4}));
        again.action(u"As many as there is room for")->trigger();
        QTRY_COMPARE(again.shown(), (QList<int>{0, 1, 2, 3, 4}));
    }

    void oneColumnStays()
    {
        FiveColumns table;
        for (const char16_t* title : {u"State", u"Pid", u"CPU", u"Exit"})
            table.action(title)->trigger();
        QCOMPARE(table.shown(), QList<int>{0});
        QVERIFY(!table.action(u"Rank")->isEnabled());
    }

    void whatTellsNothingIsntOffered()
    {
        FiveColumns table;
        table.columns->setUseful(3, false);
        QTRY_COMPARE(table.shown(), (QList<int>{0, 1, 2, 4}));
        QVERIFY(table.action(u"CPU") == nullptr);
        table.columns->setUseful(3, true);
        QTRY_COMPARE(table.shown(), (QList<int>{0, 1, 2, 3, 4}));
    }

    void titlesAreWholeInEachLanguage()
    {
        FiveColumns table;
        const QString title = QStringLiteral("a title that is longer than its column");
        table.model.setHeaderData(1, Qt::Horizontal, title);
        QTRY_VERIFY(table.view.columnWidth(1) >
                    table.view.horizontalHeader()->fontMetrics().horizontalAdvance(title));
    }

    /// Settings are a file that anybody can write.
    void whatIsNoColumnInTheSettingsIsPassedOver()
    {
        QSettings().setValue(QStringLiteral("columns/test"), QStringLiteral("2,x,99,-4"));
        FiveColumns table;
        QTRY_COMPARE(table.shown(), (QList<int>{0, 1, 3, 4}));
    }
};

QTEST_MAIN(tst_table_columns)
#include "tst_table_columns.moc"
