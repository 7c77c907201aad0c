#include "app/jobs/BandwidthChart.h"
#include "app/jobs/DeviceSpark.h"
#include "app/jobs/JobBanner.h"
#include "app/jobs/LogView.h"
#include "app/jobs/PanelMenu.h"
#include "app/jobs/TimelineView.h"
#include "app/jobs/WorkerTiles.h"
#include "app/main/PageStack.h"
#include "app/main/Pages.h"
#include "app/main/ScreenFit.h"
#include "app/main/Session.h"
#include "app/model/WorkerTableModel.h"
#include "app/widget/Banner.h"
#include "app/widget/Card.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/PanelGrid.h"
#include "app/widget/PanelSplitter.h"
#include "app/widget/Pill.h"
#include "tests/app/CutTexts.h"
#include "tests/app/JobTest.h"
#include "tests/app/ToldHosts.h"

#include <QDir>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QToolButton>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;
using Tile = TileLayout::Tile;

/// Where the panels of a job's page stand, how large they are, and what the user does with them.
class tst_job_room : public JobTest
{
    Q_OBJECT

private Q_SLOTS:
    /// "busbw by operation · all 2 attempts": half a word of it says nothing.
    void aCutSubtitleKeepsItsWholeParts()
    {
        ElidedLabel label;
        label.setText(QStringLiteral("all_reduce · gloo, ring · float32"));
        const auto widthOf = [&](const char* text) {
            return label.fontMetrics().horizontalAdvance(QString::fromUtf8(text));
        };
        const auto shownIn = [&](int width) {
            label.resize(width, 20);
            return label.shownText();
        };
        QCOMPARE(shownIn(widthOf("all_reduce · gloo, ring · float32")), label.text());
        QCOMPARE(shownIn(widthOf("all_reduce · gloo, ring · flo")),
                 QStringLiteral("all_reduce · gloo, ring …"));
        QCOMPARE(shownIn(widthOf("all_reduce · gl")), QStringLiteral("all_reduce …"));
        QVERIFY(shownIn(widthOf("all_reduc")).endsWith(u'…'));
        QVERIFY(shownIn(widthOf("all")).isEmpty());
    }

    void panelsHaveTheirRoomAtEachSize_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("language");
        QTest::addColumn<bool>("isOneColumn");
        for (const auto& [language, name] : {std::pair{Language::Choice::English, "en"},
                                             std::pair{Language::Choice::Japanese, "ja"}}) {
            const int choice = static_cast<int>(language);
            QTest::addRow("1024x700 %s", name) << QSize(1024, 700) << choice << true;
            QTest::addRow("1440x900 %s", name) << QSize(1440, 900) << choice << false;
            QTest::addRow("2560x1440 %s", name) << QSize(2560, 1440) << choice << false;
        }
    }

    void panelsHaveTheirRoomAtEachSize()
    {
        QFETCH(QSize, size);
        QFETCH(int, language);
        QFETCH(bool, isOneColumn);
        m_dashboard->language.choose(static_cast<Language::Choice>(language));
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->scenario.collectives(run);
        m_dashboard->scenario.devices(run, 2);
        m_dashboard->scenario.hangs(run);
        m_dashboard->window.resize(size);
        open(run);
        page().selectRank(5);
        QTRY_COMPARE(m_dashboard->window.size(), size);
        QTRY_COMPARE(panels().isOneColumn(), isOneColumn);
        QTRY_VERIFY(card("devices").isVisible());
        QTRY_VERIFY2(troubles().isEmpty(), qPrintable(troubles().join(u'\n')));
        save();
        auto* chart = page().findChild<BandwidthChart*>();
        QTRY_VERIFY2(chart->plotRect().height() >= 120,
                     qPrintable(QString::number(chart->plotRect().height())));
        // A lane of each rank is in sight.
        QTRY_COMPARE(page().findChild<TimelineView*>()->verticalScrollBar()->maximum(), 0);
        panels().bringForward(QStringLiteral("operations"));
        const QRect seen(chart->mapTo(area().viewport(), QPoint()), chart->size());
        QVERIFY(area().viewport()->rect().contains(seen));
        auto* tiles = page().findChild<WorkerTiles*>();
        QCOMPARE(tiles->verticalScrollBar()->maximum(), 0);
    }

    void tilesAndTimelineTakeWhatTheyNeedAndTheRestIsForChartAndLog()
    {
        m_dashboard->window.resize(1440, 900);
        open(m_dashboard->scenario.failed());
        auto* tiles = page().findChild<WorkerTiles*>();
        QTRY_COMPARE(tiles->model()->rowCount(), 4);
        const auto lowest = [&] { return tiles->visualRect(tiles->model()->index(3, 0)).bottom(); };
        QTRY_VERIFY(lowest() > 0 && lowest() <= tiles->viewport()->height());
        QTRY_VERIFY2(card("workers").height() < 270, qPrintable(sizes()));
        QVERIFY2(card("log").height() > 400, qPrintable(sizes()));
        QCOMPARE(card("operations").height(), card("log").height());
    }

    void fourTilesAreTwoAndTwoWhereThreeFit()
    {
        const TileLayout narrow({{4}}, TileLayout::Kind::Tiles, 519);
        QCOMPARE(narrow.columns(), 2);
        QCOMPARE(narrow.cells()[2].left(), 0);
        QCOMPARE(narrow.cells()[3].top(), narrow.cells()[2].top());
        QCOMPARE(TileLayout({{4}}, TileLayout::Kind::Tiles, 640).columns(), 4);
        QCOMPARE(TileLayout({{8}}, TileLayout::Kind::Tiles, 519).columns(), 3);
        const TileLayout hosts({{2, 3}}, TileLayout::Kind::Tiles, 400);
        QCOMPARE(hosts.headings().size(), size_t{2});
        QCOMPARE(hosts.headings()[1].row, 2);
        // Low where all have a place by that.
        const TileLayout low({{8}}, TileLayout::Kind::Tiles, 519, 170);
        QVERIFY(low.tile() == Tile::Low && low.height() <= 170);
        const TileLayout flat({{8}}, TileLayout::Kind::Tiles, 519, 130);
        QVERIFY(flat.tile() == Tile::Flat && flat.height() <= 130);
        for (const int ranks : {8, 80})
            QVERIFY(TileLayout({{ranks}}, TileLayout::Kind::Tiles, 519, 300).tile() == Tile::Whole);
        QVERIFY(hosts.cells()[2].top() > hosts.cells()[1].bottom());
        // Most of a few are worth more than the load of two; of many, whole ones are scrolled to.
        const TileLayout few({{9}}, TileLayout::Kind::Tiles, 420, 100);
        QVERIFY(few.tile() == Tile::Flat && few.columns() == 3);
        QVERIFY(TileLayout({{80}}, TileLayout::Kind::Tiles, 420, 100).tile() == Tile::Whole);
    }

    void headingsStandBesideTheTilesWhereThatNeedsLessHeight()
    {
        const TileLayout::Groups threeHosts{{2, 2, 2}, 110};
        const TileLayout beside(threeHosts, TileLayout::Kind::Tiles, 476);
        QCOMPARE(beside.headings().size(), size_t{3});
        QCOMPARE(beside.headings()[1].rect.top(), beside.cells()[2].top());
        QVERIFY(beside.headings()[1].rect.right() < beside.cells()[2].left());
        QCOMPARE(beside.cells()[2].left(), beside.cells()[0].left());
        QVERIFY(beside.cells()[1].right() < 476);
        QVERIFY(beside.height() < TileLayout({{2, 2, 2}}, TileLayout::Kind::Tiles, 476).height());
        // Eight in four lines of two, or in three below their heading.
        const TileLayout above({{8, 8}, 110}, TileLayout::Kind::Tiles, 500);
        QCOMPARE(above.columns(), 3);
        QCOMPARE(above.cells()[0].left(), 0);
        const TileLayout longName({{2, 2}, 300}, TileLayout::Kind::Tiles, 500);
        QCOMPARE(longName.cells()[0].left(), 0);
    }

    void allTilesOfAJobOnHostsAreInSight_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("language");
        for (const auto& [language, name] : {std::pair{Language::Choice::English, "en"},
                                             std::pair{Language::Choice::Japanese, "ja"}}) {
            for (const int width : {1280, 1440, 1600})
                QTest::addRow("%d %s", width, name)
                    << QSize(width, width * 5 / 8) << static_cast<int>(language);
        }
    }

    void allTilesOfAJobOnHostsAreInSight()
    {
        QFETCH(QSize, size);
        QFETCH(int, language);
        m_dashboard->language.choose(static_cast<Language::Choice>(language));
        m_dashboard->window.resize(size);
        open(m_dashboard->scenario.onHosts());
        auto* tiles = page().findChild<WorkerTiles*>();
        QTRY_COMPARE(tiles->model()->rowCount(), 6);
        settle();
        QVERIFY2(tiles->verticalScrollBar()->maximum() == 0, qPrintable(sizes()));
        // Beside them all lanes are.
        QCOMPARE(page().findChild<TimelineView*>()->verticalScrollBar()->maximum(), 0);
        for (int row = 0; row < 6; ++row)
            QVERIFY(tiles->viewport()->rect().contains(
                tiles->visualRect(tiles->model()->index(row, 0))));
    }

    /// By the heading of its workers, or, where it has none, by a badge.
    void eachHostIsToldOfOnce()
    {
        m_dashboard->window.resize(1440, 900);
        open(m_dashboard->scenario.onHosts());
        QTRY_COMPARE(toldHosts(page()).size(), 5);
        QTRY_COMPARE(page().findChildren<HostBadge*>().size(), 2);
        // Workers in a table have no headings.
        press("Workers", "Table");
        QTRY_COMPARE(page().findChildren<HostBadge*>().size(), 5);
        press("Workers", "Table");
        QTRY_COMPARE(page().findChildren<HostBadge*>().size(), 2);
        // All of them on one host need no heading.
        for (FilterChip* chip : card("workers").findChildren<FilterChip*>()) {
            if (chip->text().startsWith(QStringLiteral("Lost")))
                chip->click();
        }
        QTRY_VERIFY(page().findChild<WorkerTiles*>()->headings().isEmpty());
        QTRY_COMPARE(page().findChildren<HostBadge*>().size(), 5);
    }

    /// "No trouble seen" stood above a host whose connection was lost.
    void aHostThatIsLostIsToldOfWhereThereIsNoBanner()
    {
        m_dashboard->window.resize(1440, 900);
        const std::string run = m_dashboard->scenario.onHosts();
        open(run);
        QTRY_VERIFY2(quietText().startsWith(QStringLiteral("gpu2 hasn't answered for 3 s")),
                     qPrintable(quietText()));
        m_dashboard->cluster.publish(
            run, Scenario::ago(0.1),
            HostChanged{.agent = "2", .host = "gpu2", .state = HostChanged::State::Connected});
        QTRY_COMPARE(quietText(), QStringLiteral("No trouble seen."));
    }

    void theWholeWindowFitsOnASmallScreen_data()
    {
        QTest::addColumn<int>("language");
        QTest::newRow("en") << static_cast<int>(Language::Choice::English);
        QTest::newRow("ja") << static_cast<int>(Language::Choice::Japanese);
    }

    void theWholeWindowFitsOnASmallScreen()
    {
        QFETCH(int, language);
        Window all(pages());
        all.language.choose(static_cast<Language::Choice>(language));
        const std::string run = all.scenario.restartedAndRunning();
        all.scenario.hangs(run);
        all.window.show();
        all.cluster.settle();
        QTRY_VERIFY(all.bridge.find(run) != nullptr);
        all.window.showRun(QString::fromStdString(run));
        all.window.resize(1024, 700);
        QStringList large;
        auto* stack = all.window.findChild<PageStack*>();
        for (int id = 0; id < static_cast<int>(stack->descriptions().size()); ++id)
            stack->page(id);
        for (const QWidget* page : all.window.findChildren<Page*>()) {
            const QSize least = page->minimumSizeHint();
            if (least.width() <= 1024 - SideBar && least.height() <= 670)
                continue;
            large << page->objectName() + described(*page);
            for (const QWidget* part : page->findChildren<QWidget*>()) {
                if (part->minimumSizeHint().width() > 300)
                    large << described(*part);
            }
        }
        QVERIFY2(large.isEmpty(), qPrintable(large.join(u'\n')));
        QTRY_COMPARE(all.window.size(), QSize(1024, 700));
    }

    void theFirstWindowIsOnTheScreenWithItsFrame()
    {
        const QMargins frame(1, 24, 1, 5);
        const QRect screen(0, 0, 1440, 900);
        QCOMPARE(placeOnScreen({0, 0, 1440, 900}, frame, screen), QRect(1, 24, 1438, 871));
        QCOMPARE(placeOnScreen({1000, 600, 1100, 700}, frame, screen), QRect(339, 195, 1100, 700));
        QCOMPARE(placeOnScreen({100, 100, 1100, 700}, frame, screen), QRect(100, 100, 1100, 700));
        QCOMPARE(placeOnScreen({-50, 0, 900, 700}, frame, screen.translated(1440, 0)),
                 QRect(1441, 24, 900, 700));
    }

    void allTilesAreThereBesideDevicesAndABanner_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::newRow("4") << 4;
        QTest::newRow("8") << 8;
    }

    void allTilesAreThereBesideDevicesAndABanner()
    {
        QFETCH(int, ranks);
        m_dashboard->window.resize(1440, 900);
        const std::string run = m_dashboard->scenario.large(ranks);
        m_dashboard->scenario.devices(run, 0);
        m_dashboard->scenario.collectives(run);
        m_dashboard->scenario.hangs(run);
        open(run);
        QTRY_VERIFY(page().findChild<Banner*>()->isVisible());
        QTRY_VERIFY(card("devices").isVisible());
        settle();
        auto* tiles = page().findChild<WorkerTiles*>();
        QCOMPARE(tiles->model()->rowCount(), ranks);
        const QRect last = tiles->visualRect(tiles->model()->index(ranks - 1, 0));
        QVERIFY2(tiles->viewport()->rect().contains(last),
                 qPrintable(QStringLiteral("%1 in %2\n%3")
                                .arg(last.bottom())
                                .arg(tiles->viewport()->height())
                                .arg(sizes())));
        QCOMPARE(tiles->verticalScrollBar()->maximum(), 0);
    }

    /// Under a banner there is no room for three rows: low ones leave a GPU in sight.
    void devicesAreLowWhereThereIsLittleRoom()
    {
        m_dashboard->window.resize(1440, 900);
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->scenario.collectives(run);
        m_dashboard->scenario.devices(run, 2);
        m_dashboard->scenario.hangs(run);
        open(run);
        QTRY_VERIFY(card("devices").isVisible());
        settle();
        auto* area = card("devices").findChild<QScrollArea*>();
        const auto inSight = [&] {
            int count = 0;
            for (const DeviceSpark* spark : area->findChildren<DeviceSpark*>()) {
                const QRect place(spark->mapTo(area->viewport(), QPoint()), spark->size());
                count += spark->isVisible() && area->viewport()->rect().contains(place) ? 1 : 0;
            }
            return count;
        };
        // Three of the machine, four of a GPU.
        QTRY_COMPARE(inSight(), 7);
        m_dashboard->window.resize(1440, 1200);
        QTRY_COMPARE(inSight(), 11);
        for (const DeviceSpark* spark : area->findChildren<DeviceSpark*>())
            QCOMPARE(spark->height(), DeviceSpark::Height);
    }

    void allTilesAreThereBelowTheEvidence_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1440") << QSize(1440, 900);
        QTest::newRow("1280") << QSize(1280, 800);
    }

    /// Where the evidence takes its room, they are flat.
    void allTilesAreThereBelowTheEvidence()
    {
        QFETCH(QSize, size);
        m_dashboard->window.resize(size);
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->scenario.collectives(run);
        m_dashboard->scenario.devices(run, 2);
        m_dashboard->scenario.hangs(run);
        open(run);
        auto* banner = page().findChild<Banner*>();
        QTRY_VERIFY(banner->isVisible());
        for (QAbstractButton* each : banner->findChildren<QAbstractButton*>()) {
            if (each->text() == QStringLiteral("Show evidence"))
                each->click();
        }
        settle();
        auto* tiles = page().findChild<WorkerTiles*>();
        QVERIFY2(tiles->verticalScrollBar()->maximum() == 0, qPrintable(sizes()));
    }

    void tablesFitTheirPanels()
    {
        openWide();
        press("Workers", "Table");
        press("Timeline", "Table");
        QTRY_COMPARE(table("Workers as a table")->horizontalScrollBar()->maximum(), 0);
        QVERIFY(!table("Workers as a table")->isColumnHidden(WorkerTableModel::Memory));
        QVERIFY(table("Workers as a table")->isColumnHidden(WorkerTableModel::Exit));
        QTRY_COMPARE(table("Timeline as a table")->horizontalScrollBar()->maximum(), 0);
    }

    void aBannerMovesNothing_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("language");
        const auto row = [](const char* name, QSize size, Language::Choice language) {
            QTest::newRow(name) << size << static_cast<int>(language);
        };
        row("wide", {1440, 900}, Language::Choice::English);
        row("wide, ja", {1440, 900}, Language::Choice::Japanese);
        row("narrow", {1024, 700}, Language::Choice::English);
        row("narrow, ja", {1024, 700}, Language::Choice::Japanese);
    }

    void aBannerMovesNothing()
    {
        QFETCH(QSize, size);
        QFETCH(int, language);
        m_dashboard->language.choose(static_cast<Language::Choice>(language));
        m_dashboard->window.resize(size);
        const std::string run = m_dashboard->scenario.large(4);
        open(run);
        auto* banner = page().findChild<Banner*>();
        QVERIFY(!banner->isVisible());
        QVERIFY(!quietText().isEmpty());
        settle();
        const QPoint before = panels().mapTo(&page(), QPoint());
        m_dashboard->scenario.hangs(run);
        QTRY_VERIFY(banner->isVisible());
        QVERIFY(quietText().isEmpty());
        settle();
        QCOMPARE(panels().mapTo(&page(), QPoint()), before);
        // Nor is there a hole in which a banner with all that it can say is lost.
        const auto* text = banner->findChild<QLabel*>();
        const int spare = text->height() - text->heightForWidth(text->width());
        QVERIFY2(spare < 2 * text->fontMetrics().lineSpacing(), qPrintable(QString::number(spare)));
    }

    void oneTableAtATime()
    {
        openWithCollectives();
        QTRY_COMPARE(table("Operations")->model()->rowCount(), 3);
        QVERIFY(table("Operations")->isVisible());
        press("Collectives", "Table");
        QTRY_VERIFY(table("Bandwidth over time as a table")->isVisible());
        QVERIFY(!table("Operations")->isVisible());
        press("Collectives", "Table");
        QVERIFY(table("Operations")->isVisible());
    }

    void aDoubleClickOnAHeadMaximisesAndEscapeShowsAllAgain()
    {
        openWide();
        const QSize before = card("timeline").size();
        QTest::mouseClick(&card("timeline"), Qt::LeftButton, {}, {60, 18});
        QTest::mouseDClick(&card("timeline"), Qt::LeftButton, {}, {60, 18}); // the second half
        QVERIFY(panels().isMaximised());
        QTRY_COMPARE(card("timeline").width(), area().viewport()->width());
        QVERIFY(!card("workers").isVisible() && !card("log").isVisible());
        QTest::keyClick(&m_dashboard->window, Qt::Key_Escape);
        QVERIFY(!panels().isMaximised());
        QTRY_COMPARE(card("timeline").size(), before);
        QVERIFY(card("workers").isVisible() && card("log").isVisible());
        QTest::mouseDClick(page().findChild<TimelineView*>()->viewport(), Qt::LeftButton, {},
                           {60, 60});
        QVERIFY(!panels().isMaximised());
    }

    /// The first click chose a job in the list, and this page came up under the pointer.
    void theSecondHalfOfADoubleClickMaximisesNothing()
    {
        openWide();
        QTest::mouseDClick(&card("timeline"), Qt::LeftButton, {}, {60, 18});
        QVERIFY(!panels().isMaximised());
    }

    void f11IsForThePanelWithTheFocus()
    {
        openWide();
        page().findChild<LogView*>()->setFocus();
        QTest::keyClick(&m_dashboard->window, Qt::Key_F11);
        QVERIFY(panels().isMaximised());
        QVERIFY(card("log").isVisible() && !card("timeline").isVisible());
        // The other tabs are still at hand.
        tabs("log")->setCurrentIndex(1);
        QVERIFY(card("events").isVisible() && !card("log").isVisible());
        QTest::keyClick(&m_dashboard->window, Qt::Key_F11);
        QVERIFY(!panels().isMaximised());
        QVERIFY(card("timeline").isVisible());
        // Where no job is shown, the key is another page's.
        m_dashboard->window.jobsPage().showList();
        QVERIFY(!menu().maximise->isEnabled());
    }

    void aFoldedPanelIsAButtonBelow()
    {
        openWide();
        headButton("timeline", "Fold Timeline")->click();
        QTRY_VERIFY(!card("timeline").isVisible());
        QTRY_COMPARE(card("workers").width(), area().viewport()->width());
        auto* bar = m_dashboard->find<QWidget>(QStringLiteral("Folded panels"));
        QTRY_VERIFY(bar->isVisible());
        auto* unfold = bar->findChild<QToolButton*>();
        QCOMPARE(unfold->text(), QStringLiteral("Timeline"));
        QTest::mouseClick(unfold, Qt::LeftButton);
        QTRY_VERIFY(card("timeline").isVisible());
        QTRY_VERIFY(!bar->isVisible());
    }

    void theMenuHidesAPanelAndShowsItAgain()
    {
        openWide();
        choose("Events", false);
        QCOMPARE(tabTexts("log"), (QStringList{QStringLiteral("Log"), QStringLiteral("Evidence")}));
        choose("Evidence", false);
        QVERIFY(!tabs("log")->isVisible());
        choose("Log", false);
        QTRY_VERIFY(!card("log").isVisible());
        QTRY_COMPARE(card("operations").width(), area().viewport()->width());
        // Who searches the log gets it.
        QTest::keyClick(&m_dashboard->window, Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(card("log").isVisible());
        choose("Workers", false);
        choose("Timeline", false);
        choose("Collectives", false);
        QTRY_VERIFY(card("log").height() > page().height() - 200);
        menu().resetLayout->trigger();
        for (const char* key : {"workers", "timeline", "operations", "log"})
            QTRY_VERIFY2(card(key).isVisible(), key);
        QCOMPARE(tabTexts("log").size(), 3);
    }

    void whatIsChosenIsThereInTheNextSession()
    {
        openWide();
        choose("Timeline", false);
        tabs("log")->setCurrentIndex(1);
        headButton("workers", "Fold Workers")->click();
        drag(*page().findChildren<PanelSplitter*>().first(), 2, -60);
        QTRY_VERIFY(card("events").isVisible());
        const int width = card("operations").width();
        Session().setOnClose(Session::OnClose::KeepRunning);
        m_dashboard->window.close();
        m_dashboard = std::make_unique<Window>();
        m_dashboard->language.choose(Language::Choice::English);
        m_dashboard->window.resize(1440, 900);
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->window.restoreSession();
        m_dashboard->window.show();
        open(run);
        QVERIFY(!panels().isShown(QStringLiteral("timeline")));
        QTRY_VERIFY(card("events").isVisible());
        QVERIFY(!card("workers").isVisible() && !card("timeline").isVisible());
        QTRY_COMPARE(card("operations").width(), width);
    }

    void theKeyboardMovesTheHandles()
    {
        openWide();
        page().findChild<LogView*>()->setFocus();
        const QSize log = card("log").size();
        const int timeline = card("timeline").height();
        QTest::keyClick(&m_dashboard->window, Qt::Key_Left, Qt::ControlModifier | Qt::AltModifier);
        QTRY_COMPARE(card("log").width(), log.width() - 40);
        page().findChild<TimelineView*>()->setFocus();
        QTest::keyClick(&m_dashboard->window, Qt::Key_Down, Qt::ControlModifier | Qt::AltModifier);
        QTRY_COMPARE(card("timeline").height(), timeline + 40);
        menu().resetLayout->trigger();
        QTRY_COMPARE(card("log").size(), log);
        QTRY_COMPARE(card("timeline").height(), timeline);
        for (const PanelSplitter* splitter : page().findChildren<PanelSplitter*>()) {
            for (int i = 1; i < splitter->count(); ++i)
                QVERIFY(splitter->orientation() == Qt::Vertical ||
                        !splitter->handle(i)->accessibleName().isEmpty());
        }
    }

    void aTabTakesTheFocusOfTheOther()
    {
        openWide();
        QTabBar* bar = tabs("log");
        bar->setFocus();
        QTest::keyClick(bar, Qt::Key_Right);
        QVERIFY(card("events").isVisible());
        QCOMPARE(m_dashboard->window.focusWidget(), tabs("events"));
        QTest::keyClick(tabs("events"), Qt::Key_Left);
        QVERIFY(card("log").isVisible());
        QCOMPARE(m_dashboard->window.focusWidget(), bar);
        m_dashboard->language.choose(Language::Choice::Japanese);
        QTRY_COMPARE(tabTexts("log").front(), QStringLiteral("ログ"));
    }

    void rowsShareTheHeight()
    {
        using Heights = std::vector<int>;
        const RowNeed upper{.least = 170, .wanted = 270};
        const RowNeed rest{.least = 330, .takesRest = true};
        const RowNeed devices{.least = 100, .wanted = 190};
        QCOMPARE(rowHeights({upper, rest}, 800), (Heights{270, 530}));
        QCOMPARE(rowHeights({upper, rest}, 560), (Heights{230, 330}));
        // No half rows of devices, and none at the cost of the chart.
        QCOMPARE(rowHeights({upper, rest, devices}, 760), (Heights{270, 390, 100}));
        QCOMPARE(rowHeights({upper, rest, devices}, 900), (Heights{270, 440, 190}));
        // Too little: all have their least, and the page scrolls.
        QCOMPARE(rowHeights({upper, rest}, 300), (Heights{170, 330}));
        // A thousand workers leave more than half to the others.
        QCOMPARE(rowHeights({{.least = 170, .wanted = 9000}, rest}, 1000), (Heights{450, 550}));
        QCOMPARE(rowHeights({upper, devices}, 800), (Heights{270, 530}));
        QCOMPARE(rowHeights({}, 800), Heights());
    }

private:
    static constexpr int SideBar = 218;

    PanelGrid& panels() { return page().panels(); }
    PanelMenu& menu() { return *m_dashboard->window.jobsPage().actions().panels; }
    QScrollArea& area()
    {
        return *panels().findChild<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly);
    }

    void openWide()
    {
        m_dashboard->window.resize(1440, 900);
        openWithCollectives();
        QTRY_VERIFY(!panels().isOneColumn());
        QTRY_VERIFY(card("log").isVisible());
        QTRY_VERIFY2(troubles().isEmpty(), qPrintable(troubles().join(u'\n')));
        settle();
    }

    Card& card(const char* key)
    {
        for (const GridPanel& panel : panels().panels()) {
            if (panel.key == QLatin1String(key))
                return *panel.card;
        }
        qFatal("no such panel: %s", key);
    }

    static QString described(const QWidget& widget)
    {
        const QSize least = widget.minimumSizeHint();
        return QStringLiteral(" %1 wants %2x%3")
            .arg(QLatin1String(widget.metaObject()->className()))
            .arg(least.width())
            .arg(least.height());
    }

    /// Layouts come to rest one after the other.
    void settle()
    {
        constexpr int Often = 6;
        QString last;
        int same = 0;
        const auto isAtRest = [&] {
            const QString now = sizes();
            same = std::exchange(last, now) == now ? same + 1 : 0;
            return same >= Often;
        };
        QTRY_VERIFY(isAtRest());
    }

    QString sizes()
    {
        QStringList all;
        for (const GridPanel& panel : panels().panels())
            all << QStringLiteral("%1 %2x%3")
                       .arg(panel.key)
                       .arg(panel.card->width())
                       .arg(panel.card->height());
        return all.join(u'\n');
    }

    /// Panels over each other, too small, or outside of the page.
    QStringList troubles()
    {
        QStringList found;
        std::vector<std::pair<QString, QRect>> places;
        const QWidget* content = area().widget();
        for (const GridPanel& panel : panels().panels()) {
            if (!panel.card->isVisible())
                continue;
            const QRect rect(panel.card->mapTo(content, QPoint()), panel.card->size());
            const QSize least = panel.card->minimumSizeHint();
            if (rect.width() < least.width() || rect.height() < least.height())
                found << QStringLiteral("%1 is %2x%3, its least is %4x%5")
                             .arg(panel.key)
                             .arg(rect.width())
                             .arg(rect.height())
                             .arg(least.width())
                             .arg(least.height());
            if (!content->rect().contains(rect) || rect.right() >= area().viewport()->width())
                found << QStringLiteral("%1 is outside").arg(panel.key);
            for (const auto& [key, other] : places) {
                if (other.intersects(rect))
                    found << QStringLiteral("%1 is over %2").arg(panel.key, key);
            }
            places.emplace_back(panel.key, rect);
        }
        return found;
    }

    /// For a person to look at.
    void save()
    {
        const QString folder = QStringLiteral(RINGMASTER_BUILD_DIR "/screenshots");
        QVERIFY(QDir().mkpath(folder));
        QTRY_VERIFY(page().findChild<LogView*>()->model()->rowCount() > 0);
        const auto cut = [this] { return cutTexts(m_dashboard->window, GivingWay::Allowed); };
        QTRY_VERIFY2(cut().isEmpty(), qPrintable(cut().join(u'\n')));
        const QString name = QString::fromLatin1(QTest::currentDataTag()).replace(u' ', u'-');
        QVERIFY(m_dashboard->window.grab().save(folder + QStringLiteral("/room-%1.png").arg(name)));
    }

    QTabBar* tabs(const char* key) { return card(key).findChild<QTabBar*>(); }

    QStringList tabTexts(const char* key)
    {
        QStringList texts;
        for (int i = 0; i < tabs(key)->count(); ++i)
            texts << tabs(key)->tabText(i);
        return texts;
    }

    QToolButton* headButton(const char* key, const char* name)
    {
        for (QToolButton* button : card(key).findChildren<QToolButton*>()) {
            if (button->accessibleName() == QLatin1String(name))
                return button;
        }
        return nullptr;
    }

    void choose(const char* title, bool isShown)
    {
        Q_EMIT menu().aboutToShow();
        for (QAction* action : menu().actions()) {
            if (action->text() == QLatin1String(title) && action->isChecked() != isShown)
                action->trigger();
        }
    }

    QString quietText()
    {
        for (const QLabel* label : page().findChild<JobBanner*>()->findChildren<QLabel*>(
                 QString(), Qt::FindDirectChildrenOnly)) {
            if (label->isVisible())
                return label->text();
        }
        return {};
    }

    /// The handle before this row.
    static void drag(PanelSplitter& rows, int row, int by)
    {
        auto* inRow = qobject_cast<PanelSplitter*>(rows.widget(row - 1));
        QVERIFY(inRow != nullptr);
        QWidget* handle = inRow->handle(1);
        const QPoint center = handle->rect().center();
        QTest::mousePress(handle, Qt::LeftButton, {}, center);
        QTest::mouseMove(handle, center + QPoint(by, 0));
        QTest::mouseRelease(handle, Qt::LeftButton, {}, center + QPoint(by, 0));
    }
};

QTEST_MAIN(tst_job_room)
#include "tst_job_room.moc"
