#include "app/hosts/HostCharts.h"
#include "app/hosts/HostDetails.h"
#include "app/hosts/HostDialog.h"
#include "app/hosts/HostsCard.h"
#include "app/hosts/HostsPage.h"
#include "app/hosts/ImportDialog.h"
#include "app/hosts/PreflightPanel.h"
#include "app/main/Pages.h"
#include "app/widget/Banner.h"
#include "app/widget/EmptyState.h"
#include "app/widget/PlotView.h"
#include "app/widget/Toast.h"
#include "app/widget/WarningLabel.h"
#include "engine/hosts/Codes.h"
#include "tests/app/EditorFields.h"
#include "tests/app/PageOf.h"
#include "tests/app/Window.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

HostReport ready(const std::string& name)
{
    MachineFacts facts{.name = name,
                       .version = "0.1.0",
                       .machine = "x86_64",
                       .processors = 16,
                       .load = 4,
                       .memoryBytes = std::int64_t{64} << 30,
                       .availableBytes = std::int64_t{48} << 30,
                       .interpreter = "/usr/bin/python3",
                       .pythonVersion = "3.11.2",
                       .torchVersion = "2.11.0",
                       .ncclVersion = "2.27.5"};
    facts.gpus = {{"H200", std::int64_t{140} << 30, std::int64_t{70} << 30}};
    return {.host = name,
            .facts = facts,
            .clockOffset = std::chrono::microseconds(300),
            .clockBound = std::chrono::microseconds(200)};
}

HostReport refused(const std::string& name)
{
    return {.host = name,
            .facts = fail(code::HostRefusesKey, {{"host", name}, {"destination", name}}),
            .fix = "ssh-copy-id " + name};
}

std::vector<PreflightFinding> findings()
{
    using Grade = PreflightFinding::Grade;
    return {
        {Grade::Good,
         "gpu1",
         "gpu2",
         {code::PreflightReaches,
          {{"host", "gpu1"}, {"peer", "gpu2"}, {"address", "10.0.0.2"}, {"milliseconds", "0.21"}},
          {}},
         {}},
        {Grade::Bad,
         "gpu2",
         "gpu1",
         {code::PreflightCannotReach,
          {{"host", "gpu2"},
           {"peer", "gpu1"},
           {"address", "10.0.0.1"},
           {"reason", "Connection timed out"}},
          {}},
         {}},
        {Grade::Bad,
         "gpu2",
         "",
         {code::PreflightNoTorch, {{"host", "gpu2"}, {"path", "/usr/bin/python3"}}, {}},
         "ssh gpu2 '/usr/bin/python3 -m pip install torch==2.11.0'"}};
}

} // namespace

/// The Hosts page over a host book that the test makes up.
class tst_hosts_page : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useTemporarySettings(); }

    void init()
    {
        m_dashboard = std::make_unique<Window>(pages());
        m_dashboard->window.show();
        QVERIFY(QTest::qWaitForWindowActive(&m_dashboard->window, 60'000));
    }

    void cleanup() { m_dashboard.reset(); }

    /// A list that isn't read yet isn't an empty one.
    void nothingIsSaidOfHostsBeforeTheyAreListed()
    {
        QTest::keyClick(&m_dashboard->window, Qt::Key_4, Qt::ControlModifier);
        QVERIFY(page().isVisible() && empty().isHidden());
        QTRY_VERIFY(empty().isVisible());
    }

    void hostsAreImportedByChoosingNames()
    {
        fakes().setNames({"gpu1", "gpu2", "login"});
        open();
        click("Import from ~/.ssh/config…");
        auto* dialog = page().findChild<ImportDialog*>();
        QVERIFY(dialog != nullptr);
        auto* names = dialog->findChild<QListWidget*>();
        QTRY_COMPARE(names->count(), 3);
        auto* import = dialog->findChild<QPushButton*>(QStringLiteral("import"));
        QVERIFY(!import->isEnabled());
        names->item(0)->setCheckState(Qt::Checked);
        QTest::keyClick(names, Qt::Key_Down);
        QTest::keyClick(names, Qt::Key_Space);
        dialog->findChild<QLineEdit*>()->setText(QStringLiteral("lab"));
        QVERIFY(import->isEnabled());
        QTest::mouseClick(import, Qt::LeftButton);
        QTRY_COMPARE(page().hosts().rowCount(), 2);
        QCOMPARE(fakes().hosts().front().groups, std::vector<std::string>{"lab"});
        QCOMPARE(page().hosts().at(1).host.name, std::string("gpu2"));
    }

    void aHostIsAddedByHandAndEdited()
    {
        open();
        click("Add host…");
        auto* dialog = page().findChild<HostDialog*>();
        auto* save = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save);
        QVERIFY(!save->isEnabled());
        QTest::keyClicks(field(*dialog, "Name"), QStringLiteral("-oProxyCommand=x"));
        QCOMPARE(field(*dialog, "Name")->text(), QStringLiteral("oProxyCommandx"));
        field(*dialog, "Name")->setText(QStringLiteral("gpu7"));
        field(*dialog, "Groups")->setText(QStringLiteral("lab, big"));
        dialog->findChild<QSpinBox*>()->setValue(8);
        auto* exclude = named<QPlainTextEdit>(*dialog, "Not copied");
        QVERIFY(!exclude->isEnabled());
        dialog->findChild<QComboBox*>()->setCurrentIndex(1);
        QVERIFY(exclude->isEnabled());
        exclude->setPlainText(QStringLiteral("my data/\n*.pt"));
        QVERIFY(save->isEnabled());
        QTest::mouseClick(save, Qt::LeftButton);
        QTRY_COMPARE(page().hosts().rowCount(), 1);
        const Host host = fakes().hosts().front();
        QCOMPARE(host.slots, 8);
        QCOMPARE(host.groups, (std::vector<std::string>{"lab", "big"}));
        QVERIFY(host.sync == CodeSync::Rsync);
        QCOMPARE(host.exclude, (std::vector<std::string>{"my data/", "*.pt"}));
        QTRY_VERIFY(page().findChild<HostDialog*>() == nullptr);
        table()->selectRow(0);
        click("Edit…");
        auto* again = page().findChild<HostDialog*>();
        QCOMPARE(again->host(), host);
        QVERIFY(!field(*again, "Name")->isEnabled());
    }

    void aHostIsAddedWithTheKeyboardAlone()
    {
        open();
        QWidget* add = visibleButton("Add host…");
        QVERIFY(add != nullptr);
        add->setFocus();
        QTest::keyClick(add, Qt::Key_Space);
        auto* dialog = page().findChild<HostDialog*>();
        QVERIFY(QTest::qWaitForWindowActive(dialog, 60'000));
        // Field by field; empty: the next of a list.
        for (const char* typed :
             {"gpu7", "mika@gpu7.example.org", "8", "lab, big", "/opt/bin/python", "/scratch/mnist",
              "", "data/", "eth1", "10.0.0.7", "A=b"}) {
            QWidget* here = dialog->focusWidget();
            QVERIFY(here != nullptr && !here->accessibleName().isEmpty());
            if (*typed == '\0') {
                QTest::keyClick(here, Qt::Key_Down); // rsync
            } else {
                QTest::keyClick(here, Qt::Key_A, Qt::ControlModifier);
                QTest::keyClicks(here, QLatin1String(typed));
            }
            QTest::keyClick(here, Qt::Key_Tab);
        }
        QTest::keyClick(dialog->focusWidget(), Qt::Key_Space);
        QTRY_COMPARE(page().hosts().rowCount(), 1);
        const Host wanted{.name = "gpu7",
                          .destination = "mika@gpu7.example.org",
                          .slots = 8,
                          .groups = {"lab", "big"},
                          .interpreter = "/opt/bin/python",
                          .code = "/scratch/mnist",
                          .sync = CodeSync::Rsync,
                          .exclude = {"data/"},
                          .interface = "eth1",
                          .address = "10.0.0.7",
                          .environment = {{"A", "b"}}};
        const Host taken = fakes().hosts().front();
        QCOMPARE(taken.slots, wanted.slots);
        QCOMPARE(taken.exclude, wanted.exclude);
        QCOMPARE(taken.environment, wanted.environment);
        QVERIFY(taken == wanted);
    }

    void whatIsWrongIsSaidInTheDialogAndNothingIsLost()
    {
        fill();
        click("Add host…");
        auto* dialog = page().findChild<HostDialog*>();
        auto* save = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save);
        auto* said = dialog->findChild<WarningLabel*>();
        field(*dialog, "Name")->setText(QStringLiteral("gpu1"));
        QVERIFY(said->isVisible() && !save->isEnabled()); // there is one
        field(*dialog, "Name")->setText(QStringLiteral("gpu9"));
        QVERIFY(!said->isVisible() && save->isEnabled());
        named<QPlainTextEdit>(*dialog, "Environment")
            ->setPlainText(QStringLiteral("A=b\nnonsense"));
        QVERIFY(said->isVisible() && !save->isEnabled());
        named<QPlainTextEdit>(*dialog, "Environment")->setPlainText(QStringLiteral("A=b"));
        fakes().setBookError(Error{
            {code::HostBookInvalid, {{"path", "h.toml"}, {"line", "3"}, {"reason", "no"}}, {}},
            {}});
        QTest::mouseClick(save, Qt::LeftButton);
        QTRY_VERIFY2(said->text().contains(QLatin1String("h.toml, line 3: no")),
                     qPrintable(said->text()));
        QVERIFY(dialog->isVisible());
        fakes().setBookError({});
        QTest::mouseClick(save, Qt::LeftButton);
        QTRY_COMPARE(page().hosts().rowCount(), 3);
    }

    void whatAHostSaysStandsInItsTileAndRow()
    {
        fill();
        fakes().setReport(ready("gpu1"));
        fakes().setReport(refused("gpu2"));
        QCOMPARE(cell(0, HostListModel::State), QStringLiteral("not checked yet"));
        QCOMPARE(cell(0, HostListModel::Cores), QString());
        click("Check all");
        QTRY_COMPARE(cell(0, HostListModel::State), QStringLiteral("ready"));
        QCOMPARE(cell(0, HostListModel::Cores), QStringLiteral("16"));
        QCOMPARE(cell(0, HostListModel::Torch), QStringLiteral("2.11.0"));
        QVERIFY(cell(0, HostListModel::Gpus).contains(QStringLiteral("1 × H200")));
        QVERIFY(cell(0, HostListModel::Clock).startsWith(u'+'));
        QCOMPARE(cell(1, HostListModel::State), QStringLiteral("unusable"));
        const QString said = table()->model()->index(1, 0).data(Qt::AccessibleTextRole).toString();
        QVERIFY2(said.contains(QStringLiteral("ssh-copy-id")), qPrintable(said));
        // One value a look; the page looks by itself, too.
        const auto load = [this] { return page().hosts().at(0).load; };
        const auto expected = [this] { return std::vector<float>(looks(), 0.25F); };
        QTRY_COMPARE(load(), expected());
        const size_t before = looks();
        click("Check all");
        QTRY_VERIFY(looks() > before);
        QTRY_COMPARE(load(), expected());
    }

    /// No narrow strip beside them in which nothing stands, and none that is very wide.
    void tilesFillTheirRow()
    {
        fill();
        const auto* tiles = page().findChild<HostsCard*>()->findChild<QListView*>();
        const auto right = [&] { return tiles->visualRect(tiles->model()->index(1, 0)).right(); };
        m_dashboard->window.resize(1024, 700);
        QTRY_VERIFY2(tiles->viewport()->width() - right() < 24,
                     qPrintable(QString::number(right())));
        m_dashboard->window.resize(2560, 1440);
        QTRY_VERIFY2(right() > 740 && right() < 840, qPrintable(QString::number(right())));
    }

    /// In the smallest window the page scrolls, and nothing in it does.
    void thePageIsOneColumnInASmallWindow()
    {
        fill();
        fakes().setReport(ready("gpu1"));
        fakes().setReport(refused("gpu2"));
        m_dashboard->window.resize(1024, 700);
        click("Run preflight");
        auto* panel = page().findChild<PreflightPanel*>();
        QTRY_VERIFY(!panel->matrix().isEmpty());
        const auto* matrix = panel->findChild<QTableView*>();
        const auto* sentences = panel->findChild<QListView*>();
        const auto* tiles = page().findChild<HostsCard*>()->findChild<QListView*>();
        for (const QAbstractScrollArea* part : {static_cast<const QAbstractScrollArea*>(matrix),
                                                static_cast<const QAbstractScrollArea*>(sentences),
                                                static_cast<const QAbstractScrollArea*>(tiles)}) {
            const QByteArray name = part->accessibleName().toUtf8();
            QTRY_VERIFY2(part->verticalScrollBar()->maximum() == 0, name);
            QTRY_VERIFY2(part->horizontalScrollBar()->maximum() == 0, name);
        }
        // Two tiles beside each other, though no bar takes their room.
        const auto tile = [&](int row) { return tiles->visualRect(tiles->model()->index(row, 0)); };
        QTRY_VERIFY(tile(1).left() > tile(0).right());
        QTRY_VERIFY(placeOf(sentences).top() > placeOf(matrix).bottom());
        QVERIFY(placeOf(panel).top() > placeOf(tiles).bottom());
    }

    void theCardsStandBesideEachOtherInAWideWindow()
    {
        fill();
        const auto* hosts = page().findChild<HostsCard*>();
        const auto* panel = page().findChild<PreflightPanel*>();
        m_dashboard->window.resize(2560, 1440);
        QTRY_VERIFY(placeOf(panel).left() > placeOf(hosts).right());
        QCOMPARE(placeOf(panel).top(), placeOf(hosts).top());
        const QVariantMap state = page().saveState();
        m_dashboard->window.resize(1440, 900);
        QTRY_VERIFY(placeOf(panel).top() > placeOf(hosts).bottom());
        page().restoreState(state);
        QVERIFY(placeOf(panel).top() > placeOf(hosts).bottom());
        m_dashboard->window.resize(2560, 1440);
        QTRY_VERIFY(placeOf(panel).left() > placeOf(hosts).right());
    }

    /// No frame around nothing, and nothing scrolls beside an empty place.
    void theCardsAreAsHighAsWhatIsInThem()
    {
        std::vector<Host> five;
        for (const char* name : {"gpu1", "gpu2", "gpu3", "gpu4", "gpu5"}) {
            five.push_back({.name = name});
            fakes().setReport(ready(name));
        }
        fakes().setHosts(five);
        fakes().setFindings(findings());
        open();
        QTRY_COMPARE(page().hosts().rowCount(), 5);
        click("Check all");
        click("Run preflight");
        const auto* hosts = page().findChild<HostsCard*>();
        const auto* panel = page().findChild<PreflightPanel*>();
        const auto* tiles = hosts->findChild<QListView*>();
        const auto lastTile = [&] {
            return tiles->viewport()
                ->mapTo(&page(), tiles->visualRect(tiles->model()->index(4, 0)).bottomLeft())
                .y();
        };
        for (const QSize& size :
             {QSize(1280, 800), QSize(1440, 900), QSize(1700, 1000), QSize(2560, 1440)}) {
            m_dashboard->window.resize(size);
            const QByteArray width = QByteArray::number(size.width());
            QTRY_VERIFY2(tiles->verticalScrollBar()->maximum() == 0, width);
            QTRY_VERIFY2(placeOf(hosts).bottom() - lastTile() < 90, width);
            QTRY_VERIFY2(placeOf(hosts).top() < 80, width);
            QTRY_VERIFY2(panel->findChild<QTableView*>()->horizontalScrollBar()->maximum() == 0,
                         width);
            QTRY_VERIFY2(placeOf(panel).height() <=
                             std::max(panel->heightIn(panel->width()).wanted,
                                      hosts->heightIn(hosts->width()).wanted),
                         width);
        }
        using Tile = HostTileDelegate::Tile;
        const auto tileHeight = [&] {
            return tiles->visualRect(tiles->model()->index(0, 0)).height();
        };
        QCOMPARE(tileHeight(), HostTileDelegate::heightOf(Tile::Whole));
        // In the smallest window tiles are low, and what the preflight found is in sight.
        m_dashboard->window.resize(1024, 700);
        QTRY_COMPARE(tileHeight(), HostTileDelegate::heightOf(Tile::Low));
        const auto* sentences = panel->findChild<QListView*>();
        const auto firstFinding = [&] {
            return sentences->viewport()
                ->mapTo(&page(),
                        sentences->visualRect(sentences->model()->index(0, 0)).bottomLeft())
                .y();
        };
        QTRY_VERIFY(sentences->model()->rowCount() > 0);
        QTRY_VERIFY2(
            firstFinding() < page().height(),
            qPrintable(QStringLiteral("%1 of %2").arg(firstFinding()).arg(page().height())));
        QVERIFY(tiles->model()
                    ->index(0, 0)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("torch 2.11.0")));
        m_dashboard->window.resize(1440, 900);
        QTRY_COMPARE(tileHeight(), HostTileDelegate::heightOf(Tile::Whole));
    }

    void aRemovedHostCanBeHadBack()
    {
        fill();
        table()->selectRow(0);
        const Host before = page().hosts().at(0).host;
        click("Remove");
        auto* undo = m_dashboard->window.toast().findChild<QPushButton*>();
        QTRY_COMPARE(page().hosts().rowCount(), 1);
        QCOMPARE(m_dashboard->window.toast().text(), HostsPage::tr("%n hosts removed", nullptr, 1));
        QVERIFY(!undo->isHidden());
        // Not by the mouse: after 8 s the button is out of sight.
        undo->click();
        QTRY_COMPARE(page().hosts().rowCount(), 2);
        QCOMPARE(page().hosts().at(0).host, before);
    }

    void aSecondClickRemovesNoOtherHost()
    {
        fakes().setHosts({{.name = "gpu1"}, {.name = "gpu2"}, {.name = "gpu3"}});
        open();
        QTRY_COMPARE(page().hosts().rowCount(), 3);
        table()->selectRow(1);
        QPushButton* remove = visibleButton("Remove");
        QVERIFY(remove != nullptr && remove->isEnabled());
        for (int i = 0; i < 2; ++i)
            QTest::mouseClick(remove, Qt::LeftButton);
        QTRY_COMPARE(page().hosts().rowCount(), 2);
        QVERIFY(!table()->selectionModel()->hasSelection() && !remove->isEnabled());
        waitUntilAnswered();
        QCOMPARE(fakes().hosts().size(), size_t{2});
        QCOMPARE(page().hosts().at(1).host.name, std::string("gpu3"));
        QVERIFY(page().findChild<Banner*>()->isHidden());
    }

    void whatIsChosenStaysTheSameHostWhenTheBookChanges()
    {
        fill();
        table()->selectRow(1);
        fakes().setHosts({{.name = "gpu2"}, {.name = "gpu3"}});
        Q_EMIT m_dashboard->bridge.hostsChanged();
        QTRY_COMPARE(page().hosts().at(0).host.name, std::string("gpu2"));
        QCOMPARE(page().hosts().rowCount(), 2);
        const QModelIndexList chosen = table()->selectionModel()->selectedRows();
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.front().row(), 0);
        QCOMPARE(page().findChild<HostDetails*>()->title(), QStringLiteral("gpu2"));
    }

    /// The list is read again at once, and says nothing of it.
    void aRefusedRemovalStaysSaid()
    {
        fill();
        table()->selectAll();
        fakes().setHosts({{.name = "gpu1"}}); // in a terminal
        click("Remove");
        QTRY_COMPARE(page().hosts().rowCount(), 0);
        QCOMPARE(m_dashboard->window.toast().text(), HostsPage::tr("%n hosts removed", nullptr, 1));
        const auto* banner = page().findChild<Banner*>();
        QVERIFY(!banner->isHidden());
        QVERIFY2(banner->text().contains(QStringLiteral("gpu2")), qPrintable(banner->text()));
        // Until something else is done.
        m_dashboard->window.toast().findChild<QPushButton*>()->click();
        QTRY_COMPARE(page().hosts().rowCount(), 1);
        QVERIFY(banner->isHidden());
    }

    void aRefusedImportStaysSaid()
    {
        fakes().setNames({"gpu1"});
        open();
        fakes().setRefusal(Error{
            {code::HostBookInvalid, {{"path", "h.toml"}, {"line", "3"}, {"reason", "no"}}, {}},
            {}});
        click("Import from ~/.ssh/config…");
        auto* dialog = page().findChild<ImportDialog*>();
        auto* names = dialog->findChild<QListWidget*>();
        QTRY_COMPARE(names->count(), 1);
        names->item(0)->setCheckState(Qt::Checked);
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("import")),
                          Qt::LeftButton);
        waitUntilAnswered();
        // Nor is it gone once a list that was asked for by the answer has been read.
        waitUntilAnswered();
        const auto* banner = page().findChild<Banner*>();
        QVERIFY(!banner->isHidden());
        QVERIFY2(banner->text().contains(QStringLiteral("h.toml, line 3: no")),
                 qPrintable(banner->text()));
    }

    void thePreflightShowsEachPairAndALineThatMendsIt()
    {
        fill();
        fakes().setFindings(findings());
        click("Run preflight");
        auto* panel = page().findChild<PreflightPanel*>();
        QTRY_COMPARE(panel->matrix().badCount(), 2);
        const PreflightMatrix& matrix = panel->matrix();
        QCOMPARE(fakes().requests().front().hosts, (std::vector<std::string>{"gpu1", "gpu2"}));
        QCOMPARE(matrix.index(0, 1).data().toString(), QStringLiteral("0.21 ms"));
        QCOMPARE(matrix.index(1, 1).data().toString(), QStringLiteral("1 problem"));
        auto* sentences = m_dashboard->find<QListView>(QStringLiteral("What the preflight found"));
        QCOMPARE(sentences->model()->rowCount(), 2);
        auto* cells = m_dashboard->find<QTableView>(QStringLiteral("Preflight, host by host"));
        cells->setCurrentIndex(matrix.index(1, 1));
        QCOMPARE(sentences->model()->rowCount(), 1);
        auto* fix = m_dashboard->find<QLineEdit>(QStringLiteral("Line that mends it"));
        QVERIFY(fix->isVisible());
        for (QToolButton* button : panel->findChildren<QToolButton*>())
            button->click();
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("ssh gpu2 '/usr/bin/python3 -m pip install torch==2.11.0'"));
    }

    void aBookThatCantBeReadIsSaid()
    {
        fakes().setBookError(Error{
            {code::HostBookInvalid, {{"path", "h.toml"}, {"line", "3"}, {"reason", "no"}}, {}},
            {}});
        open();
        auto* banner = page().findChild<Banner*>();
        QTRY_VERIFY(banner->isVisible());
        QVERIFY2(banner->text().contains(QStringLiteral("h.toml, line 3: no")),
                 qPrintable(banner->text()));
    }

    void modelsKeepTheRulesOfQt()
    {
        HostListModel hosts;
        const QAbstractItemModelTester ofHosts(&hosts);
        hosts.setHosts({{.name = "a"}, {.name = "b"}});
        hosts.setAsked({"a"});
        hosts.take({ready("a"), refused("b")}, 1000);
        hosts.setHosts({{.name = "b"}});
        QCOMPARE(stateOf(hosts.at(0)), HostState::Unusable);
        PreflightMatrix matrix;
        const QAbstractItemModelTester ofMatrix(&matrix);
        matrix.setFindings({"gpu1", "gpu2"}, findings());
        matrix.setFindings({}, {});
        QVERIFY(matrix.isEmpty());
    }

    /// The hosts' names stand beside the middle of their rows.
    void namesOfTheMatrixAreInTheMiddleOfTheirRows()
    {
        fill();
        fakes().setFindings(findings());
        click("Run preflight");
        auto* matrix = page().findChild<PreflightPanel*>()->findChild<QTableView*>();
        QTRY_VERIFY(matrix->isVisible() && matrix->model()->rowCount() == 2);
        const QHeaderView& names = *matrix->verticalHeader();
        QCoreApplication::processEvents();
        const QImage picture = matrix->verticalHeader()->viewport()->grab().toImage();
        const int height = names.sectionSize(0);
        const QRgb empty = picture.pixel(1, 1);
        int first = height;
        int last = 0;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < picture.width(); ++x) {
                if (picture.pixel(x, y) == empty)
                    continue;
                first = std::min(first, y);
                last = y;
            }
        }
        // Letters go a little further down than up from the middle.
        const double middle = (first + last) / 2.0;
        QVERIFY2(std::abs(middle - height / 2.0) < 3, qPrintable(QString::number(middle)));
    }

    void inALargeWindowThereIsWhatWasMeasuredAndWhatIsKnownOfOne()
    {
        fill();
        const auto* charts = page().findChild<HostCharts*>();
        const auto* details = page().findChild<HostDetails*>();
        m_dashboard->window.resize(1024, 700);
        QTRY_VERIFY(!charts->isVisible());
        m_dashboard->window.resize(2560, 1440);
        QTRY_VERIFY(charts->isVisible() && details->isVisible());
        QVERIFY(placeOf(charts).top() > placeOf(page().findChild<PreflightPanel*>()).bottom());
        for (const HostCharts::Chart& chart : charts->charts())
            QVERIFY(!chart.plot->isVisible());
        HostListModel& hosts = page().hosts();
        HostReport busy = ready("gpu1");
        const std::int64_t now = QDateTime::currentMSecsSinceEpoch();
        hosts.take({busy, refused("gpu2")}, now - 15'000);
        busy.facts->load = 12;
        hosts.take({busy, ready("gpu2")}, now);
        // The page looks by itself, too, and finds the same.
        fakes().setReport(busy);
        fakes().setReport(ready("gpu2"));
        // A line a host, of all that was measured; the first that answered is told of.
        for (const HostCharts::Chart& chart : charts->charts())
            QTRY_VERIFY(chart.plot->isVisible());
        const std::vector<PlotSeries>& load = charts->charts().front().plot->series();
        QCOMPARE(load.size(), size_t{2});
        QTRY_COMPARE(load[0].points.size(), 2 + looks());
        QCOMPARE(load[0].points.back().y(), 0.75);
        QTRY_COMPARE(load[1].points.size(), 1 + looks());
        QTRY_COMPARE(charts->table()->model()->rowCount(), 3 + 2 * fakes().checks());
        QVERIFY(details->text().contains(QStringLiteral("H200: 70.0 GiB of 140.0 GiB in use")));
        QCOMPARE(details->title(), QStringLiteral("gpu1"));
        table()->selectRow(1);
        QCOMPARE(details->title(), QStringLiteral("gpu2"));
        m_dashboard->window.resize(1024, 700);
        QTRY_VERIFY(!charts->isVisible());
    }

private:
    FakeHosts& fakes() { return m_dashboard->cluster.hosts(); }
    size_t looks() { return static_cast<size_t>(fakes().checks()); }
    HostsPage& page() const { return pageOf<HostsPage>(m_dashboard->window); }
    QTableView* table() const
    {
        return m_dashboard->find<QTableView>(QStringLiteral("Hosts as a table"));
    }
    QString cell(int row, int column) const
    {
        return table()->model()->index(row, column).data().toString();
    }

    QRect placeOf(const QWidget* widget) const
    {
        return {widget->mapTo(&page(), QPoint()), widget->size()};
    }

    /// All that was asked of the host book so far.
    void waitUntilAnswered()
    {
        bool isAnswered = false;
        m_dashboard->bridge.ask(&HostRegistry::list)
            .then(&page(), [&](const Result<std::vector<Host>>&) { isAnswered = true; });
        QTRY_VERIFY(isAnswered);
    }

    EmptyState& empty() const { return *page().findChild<EmptyState*>(); }

    void open()
    {
        QTest::keyClick(&m_dashboard->window, Qt::Key_4, Qt::ControlModifier);
        QTRY_VERIFY(page().isVisible());
        QTRY_VERIFY(page().hosts().rowCount() > 0 || empty().isVisible());
    }

    void fill()
    {
        fakes().setHosts({{.name = "gpu1", .slots = 8, .groups = {"lab"}},
                          {.name = "gpu2", .environment = {{"A", "b"}}}});
        open();
        QTRY_COMPARE(page().hosts().rowCount(), 2);
    }

    static QLineEdit* field(QWidget& parent, const char* name)
    {
        for (QLineEdit* each : parent.findChildren<QLineEdit*>()) {
            if (each->accessibleName() == QLatin1String(name))
                return each;
        }
        return nullptr;
    }

    QPushButton* visibleButton(const char* text) const
    {
        for (QPushButton* each : page().findChildren<QPushButton*>())
            if (each->text() == QString::fromUtf8(text) && each->isVisible())
                return each;
        return nullptr;
    }

    void click(const char* text) const
    {
        QPushButton* found = visibleButton(text);
        QVERIFY2(found != nullptr, text);
        // "Check all" isn't, while the page looks by itself.
        QTRY_VERIFY2(found->isEnabled(), text);
        QTest::mouseClick(found, Qt::LeftButton);
    }

    std::unique_ptr<Window> m_dashboard;
};

QTEST_MAIN(tst_hosts_page)
#include "tst_hosts_page.moc"
