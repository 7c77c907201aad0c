#include "app/bridge/Messages.h"
#include "app/history/HistoryPage.h"
#include "app/history/LabelsDialog.h"
#include "app/history/RunDetails.h"
#include "app/jobs/RunPreview.h"
#include "app/jobs/RunPreviewPanels.h"
#include "app/model/RunListModel.h"
#include "engine/record/Codes.h"
#include "engine/worker/Codes.h"
#include "tests/app/PageOf.h"
#include "tests/app/Window.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QtTest>

#include <future>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

RunSummary finished(const char* id, RunState state, std::int64_t startedAt)
{
    RunSummary run;
    run.id = id;
    run.name = std::string("job ") + id;
    run.state = state;
    run.worldSize = 4;
    run.startedAt = {startedAt, startedAt};
    run.endedAt = {startedAt + 5'000'000'000, startedAt + 5'000'000'000};
    run.sizeBytes = 1'000'000;
    return run;
}

QPushButton* button(QWidget& parent, const char* text)
{
    for (QPushButton* each : parent.findChildren<QPushButton*>()) {
        if (each->text() == QString::fromUtf8(text))
            return each;
    }
    return nullptr;
}

} // namespace

class tst_history : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesHaveTheRoomThatThereIs()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        HistoryPage page(bridge);
        page.show();
        const auto* table = page.findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 1);
        page.resize(1024 - 218, 640);
        QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
        QVERIFY2(table->columnWidth(HistoryModel::Name) >= 120,
                 qPrintable(QString::number(table->columnWidth(HistoryModel::Name))));
    }

    /// Columns are as wide as what is in them, so that a row is read at a glance; the cause has the
    /// rest.
    void aFailuresCauseStandsInTheList()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        RunSummary failed = finished("a", RunState::Failed, 1);
        failed.reason = {code::WorkerExitedWithCode, {{"rank", "2"}, {"code", "1"}}, {}};
        cluster.setRun(failed);
        cluster.setRun(finished("b", RunState::Succeeded, 2));
        HistoryPage page(bridge);
        page.show();
        const auto* table = page.findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 2);
        for (const QSize& size : {QSize(1024 - 218, 640), QSize(2300, 900)}) {
            page.resize(size);
            QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
            QVERIFY(!table->isColumnHidden(HistoryModel::Cause));
            QVERIFY2(table->columnWidth(HistoryModel::Cause) >= 200,
                     qPrintable(QString::number(table->columnWidth(HistoryModel::Cause))));
        }
        QVERIFY(table->columnWidth(HistoryModel::Name) < 400);
        QVERIFY(!table->isColumnHidden(HistoryModel::Restarts));
        // Nobody has written a note, and none is kept.
        for (const int column : {HistoryModel::Note, HistoryModel::Kept, HistoryModel::Tags})
            QVERIFY(table->isColumnHidden(column));
        const auto cause = [&](int row) {
            return table->model()->index(row, HistoryModel::Cause).data().toString();
        };
        QCOMPARE(cause(0), QString());
        QCOMPARE(cause(1), text(failed.reason));
        page.findChild<QLineEdit*>()->setText(QStringLiteral("rank 2"));
        QTRY_COMPARE(table->model()->rowCount(), 1);
    }

    void theChosenRunIsToldBesideTheList()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        RunSummary failed = finished("a", RunState::Failed, 1);
        failed.reason = {code::WorkerExitedWithCode, {{"rank", "2"}, {"code", "1"}}, {}};
        failed.labels.note = "with the new\nloader";
        failed.labels.tags = {"lr"};
        cluster.setRun(failed);
        cluster.setRun(finished("b", RunState::Succeeded, 2));
        cluster.publish("a", Moment{1, 1},
                        RunStarted{.jobFile = "program = \"x.py\"\nworkers = 4\n"
                                              "[environment]\nHF_TOKEN = \"hidden-one\"\n",
                                   .torchrunLine = "torchrun x.py --token hidden-two",
                                   .workingFolder = "/data/<jobs>"});
        cluster.print("a", Moment{2, 2}, 1, "loss 0.25\n");
        HistoryPage page(bridge);
        page.resize(2300, 1300);
        page.show();
        auto* table = page.findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 2);
        auto* details = page.findChild<RunDetails*>();
        QTRY_VERIFY(details->isVisible());
        // Below there is room for what its page shows, so that one is chosen at once.
        auto* preview = page.findChild<RunPreview*>();
        QTRY_VERIFY(preview->isVisible() && preview->panels() != nullptr);
        QTRY_COMPARE(preview->run(), "b");
        QVERIFY2(preview->height() > 500, qPrintable(QString::number(preview->height())));
        table->clearSelection();
        QVERIFY(details->text().contains(RunDetails::tr("Select one run to read about it here.")));
        table->selectRow(1);
        QCOMPARE(preview->run(), "a");
        for (const QString& part :
             {text(failed.reason), QStringLiteral("with the new\nloader"), QStringLiteral("0:05"),
              QStringLiteral("lr"), QStringLiteral("/data/<jobs>"),
              QStringLiteral("torchrun x.py --token ***"), QStringLiteral("workers"),
              QStringLiteral("0.25")})
            QTRY_VERIFY2(details->text().contains(part), qPrintable(part));
        QVERIFY2(!details->text().contains(QStringLiteral("hidden")), qPrintable(details->text()));
        // The other one has no cause, no job that is known, and has printed nothing.
        table->selectRow(0);
        QVERIFY(!details->text().contains(text(failed.reason)));
        for (const char* section : {"Settings", "Printed last", "Working folder"})
            QVERIFY2(!details->text().contains(RunDetails::tr(section)), section);
        table->selectAll();
        QVERIFY(details->text().contains(RunDetails::tr("Select one run to read about it here.")));
    }

    void detailsAreThereWhereTheTableLeavesRoom()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        HistoryPage page(bridge);
        page.resize(2300, 1300);
        page.show();
        const auto* details = page.findChild<RunDetails*>();
        QVERIFY(!details->isVisible()); // nothing has run yet
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        QTRY_VERIFY(details->isVisible());
        const auto* table = page.findChild<QTableView*>();
        QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
        QTRY_VERIFY(table->width() > details->width());
        const auto placeOf = [&page](const QWidget& widget) {
            return QRect(widget.mapTo(&page, QPoint()), widget.size());
        };
        QVERIFY(placeOf(*details).left() > placeOf(*table).right());
        page.resize(1440 - 218, 874);
        QTRY_VERIFY(placeOf(*details).top() > placeOf(*table).bottom());
        QVERIFY(details->isVisible());
        // One run in the list: no empty rows above details that scroll.
        QTRY_VERIFY2(details->height() > table->height(),
                     qPrintable(QString::number(details->height())));
        page.resize(1440 - 218, 674);
        QTRY_VERIFY(!details->isVisible());
        page.resize(1700 - 218, 900);
        QTRY_VERIFY(details->isVisible());
        QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
    }

    void showsFinishedRunsOnly()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        HistoryModel model(bridge);
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        RunSummary live = finished("b", RunState::Running, 2);
        live.isLive = true;
        cluster.setRun(live);
        QTRY_COMPARE(model.rowCount(), 1);
        cluster.setRun(finished("b", RunState::Failed, 2));
        QTRY_COMPARE(model.rowCount(), 2);
        bridge.hideRuns({"a"});
        QCOMPARE(model.rowCount(), 1);
        bridge.showRuns({"a"});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.totalBytes(), std::uint64_t{2'000'000});
    }

    void filtersByNameAndEnd()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        HistoryModel model(bridge);
        HistoryFilter filter;
        filter.setSourceModel(&model);
        const QAbstractItemModelTester tester(
            &filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        cluster.setRun(finished("alpha", RunState::Succeeded, 1));
        cluster.setRun(finished("beta", RunState::Failed, 2));
        QTRY_COMPARE(filter.rowCount(), 2);
        filter.setText(QStringLiteral("BET"));
        QCOMPARE(filter.rowCount(), 1);
        filter.setState(RunState::Succeeded);
        QCOMPARE(filter.rowCount(), 0);
        filter.setText({});
        QCOMPARE(filter.rowCount(), 1);
    }

    void deletesOnlyWhenItIsNotTakenBack()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        HistoryPage page(bridge);
        const RunListModel jobs(bridge);
        page.show();
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        auto* table = page.findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 1);
        std::function<void()> undo;
        connect(&page, &Page::toastRequested, this,
                [&](const QString&, const std::function<void()>& takeBack) { undo = takeBack; });
        table->selectRow(0);
        QTest::mouseClick(button(page, "Delete…"), Qt::LeftButton);
        // It asks first.
        QCOMPARE(table->model()->rowCount(), 1);
        auto* box = page.findChild<QMessageBox*>(QStringLiteral("confirmDelete"));
        QVERIFY(box != nullptr);
        QCOMPARE(box->text(), QStringLiteral("<b>Delete job a?</b>"));
        QTest::mouseClick(button(*box, "Keep"), Qt::LeftButton);
        QCOMPARE(table->model()->rowCount(), 1);
        QTRY_VERIFY(page.findChild<QMessageBox*>() == nullptr);
        QTest::mouseClick(button(page, "Delete…"), Qt::LeftButton);
        QTest::mouseClick(button(*page.findChild<QMessageBox*>(), "Delete"), Qt::LeftButton);
        QCOMPARE(table->model()->rowCount(), 0);
        // Nor does any other list have it.
        QCOMPARE(jobs.rowCount(), 0);
        QVERIFY(undo != nullptr);
        undo();
        QCOMPARE(table->model()->rowCount(), 1);
        QCOMPARE(jobs.rowCount(), 1);
        QVERIFY(cluster.removed().empty());
    }

    /// As long as it can be taken back it isn't gone, but then nobody can any more.
    void whatIsDeletedGoesThoughTheWindowCloses()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        auto page = std::make_unique<HistoryPage>(bridge);
        page->show();
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        cluster.setRun(finished("b", RunState::Succeeded, 2));
        auto* table = page->findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 2);
        std::function<void()> undo;
        connect(page.get(), &Page::toastRequested, this,
                [&](const QString&, const std::function<void()>& takeBack) { undo = takeBack; });
        const auto deleteRow = [&](int row) {
            table->selectRow(row);
            QTest::mouseClick(button(*page, "Delete…"), Qt::LeftButton);
            QTest::mouseClick(button(*page->findChild<QMessageBox*>(), "Delete"), Qt::LeftButton);
            QTRY_VERIFY(page->findChild<QMessageBox*>() == nullptr);
        };
        deleteRow(0);
        QCOMPARE(table->model()->rowCount(), 1);
        undo();
        QCOMPARE(table->model()->rowCount(), 2);
        deleteRow(1);
        QCOMPARE(table->model()->rowCount(), 1);
        QVERIFY(cluster.removed().empty());
        page.reset();
        QCOMPARE(cluster.removed(), std::vector<std::string>{"a"});
    }

    void whatIsOpenedAgainIsNotDeleted()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        auto page = std::make_unique<HistoryPage>(bridge);
        page->show();
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        cluster.setRun(finished("b", RunState::Succeeded, 2));
        auto* table = page->findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 2);
        table->selectAll();
        QTest::mouseClick(button(*page, "Delete…"), Qt::LeftButton);
        QTest::mouseClick(button(*page->findChild<QMessageBox*>(), "Delete"), Qt::LeftButton);
        QCOMPARE(table->model()->rowCount(), 0);
        bridge.showRuns({"a"}); // as when its file is opened
        QCOMPARE(table->model()->rowCount(), 1);
        page.reset();
        QCOMPARE(cluster.removed(), std::vector<std::string>{"b"});
    }

    void runsAFinishedJobAgain()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        HistoryPage page(bridge);
        page.show();
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        cluster.publish("a", Moment{1, 1},
                        RunStarted{.jobFile = "program = \"x.py\"\n", .workingFolder = "/tmp"});
        auto* table = page.findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->selectRow(0);
        QSignalSpy again(&page, &Page::runAgainRequested);
        QTest::mouseClick(button(page, "Run again"), Qt::LeftButton);
        QTRY_COMPARE(again.count(), 1);
        QCOMPARE(again.front().at(0).toString(), QStringLiteral("program = \"x.py\"\n"));
        QCOMPARE(again.front().at(1).toString(), QStringLiteral("/tmp"));
    }

    void saysWhyARunCantBeRead_data()
    {
        QTest::addColumn<QByteArray>("asked");
        QTest::newRow("run again") << QByteArray("Run again");
        QTest::newRow("edit") << QByteArray("Edit a copy");
    }

    void saysWhyARunCantBeRead()
    {
        QFETCH(QByteArray, asked);
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        HistoryPage page(bridge);
        page.show();
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        auto* table = page.findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->selectRow(0);
        QSignalSpy told(&page, &Page::toastRequested);
        QTest::mouseClick(button(page, asked.constData()), Qt::LeftButton);
        cluster.endRun("a", fail(code::RunFileDamaged, {{"path", "/runs/a/run.db"}}));
        QTRY_COMPARE(told.count(), 1);
        QVERIFY(told.front().front().toString().contains(QStringLiteral("/runs/a/run.db")));
    }

    void isSearchedByNameTagNoteAndPurpose()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        HistoryModel model(bridge);
        HistoryFilter filter;
        filter.setSourceModel(&model);
        RunSummary wide = finished("alpha", RunState::Succeeded, 1);
        wide.labels = {.name = "wide net", .note = "diverged late", .tags = {"lr", "wide"}};
        cluster.setRun(wide);
        RunSummary sweep = finished("sweep x", RunState::Succeeded, 2);
        sweep.purpose = RunPurpose::Sweep;
        cluster.setRun(sweep);
        cluster.setRun(finished("beta", RunState::Failed, 3));
        QTRY_COMPARE(filter.rowCount(), 3);
        const auto found = [&](const char* text) {
            filter.setText(QLatin1String(text));
            return filter.rowCount();
        };
        QCOMPARE(found("Wide NET"), 1);
        QCOMPARE(found("diverged"), 1);
        QCOMPARE(found("#lr"), 1);
        QCOMPARE(found("#lr diverged"), 1);
        QCOMPARE(found("#lr beta"), 0);
        // By the job's own name, too.
        QCOMPARE(found("job alpha"), 1);
        filter.setText({});
        filter.setPurpose(RunPurpose::Job);
        QCOMPARE(filter.rowCount(), 2);
        filter.setPurpose(RunPurpose::Sweep);
        QCOMPARE(filter.rowCount(), 1);
        filter.setPurpose(std::nullopt);
        filter.setTag(QStringLiteral("lr"));
        QCOMPARE(filter.rowCount(), 1);
        QCOMPARE(model.allTags(), (QStringLiteral("lr,wide").split(u',')));
    }

    void aRunIsNamedAndTagged()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        HistoryPage page(bridge);
        page.show();
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        auto* table = page.findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->selectRow(0);
        QTest::mouseClick(button(page, "Name and tags…"), Qt::LeftButton);
        auto* dialog = page.findChild<LabelsDialog*>();
        QVERIFY(dialog != nullptr);
        const QList<QLineEdit*> fields = dialog->findChildren<QLineEdit*>();
        QTest::keyClicks(fields[0], QStringLiteral("wide net"));
        QTest::keyClicks(fields[1], QStringLiteral("lr, wide , lr"));
        dialog->findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("see rank 1"));
        QTest::mouseClick(button(*dialog, "Save"), Qt::LeftButton);
        const QModelIndex name = table->model()->index(0, HistoryModel::Name);
        QTRY_COMPARE(name.data().toString(), QStringLiteral("wide net"));
        QCOMPARE(name.siblingAtColumn(HistoryModel::Tags).data().toString(),
                 QStringLiteral("lr, wide"));
        QCOMPARE(cluster.runs().front().labels.note, std::string("see rank 1"));
        // Its tags can be chosen now, and go when no run has them any more.
        QComboBox* tags = nullptr;
        for (QComboBox* box : page.findChildren<QComboBox*>()) {
            if (box->accessibleName() == QStringLiteral("Filter finished runs by a tag"))
                tags = box;
        }
        QTRY_VERIFY(tags->isVisible());
        QCOMPARE(tags->count(), 3);
        tags->setCurrentIndex(2);
        QCOMPARE(table->model()->rowCount(), 1);
        cluster.setLabels("a", {}, [](const Result<void>&) {});
        QTRY_VERIFY(!tags->isVisible());
        QTRY_COMPARE(table->model()->rowCount(), 1);
    }

    void aRunIsExported()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        HistoryPage page(bridge);
        page.show();
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        auto* table = page.findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->selectRow(0);
        QTest::mouseClick(button(page, "Export…"), Qt::LeftButton);
        auto* dialog = page.findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        QSignalSpy told(&page, &Page::toastRequested);
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("out.ringrun"));
        Q_EMIT dialog->fileSelected(file);
        QTRY_COMPARE(told.count(), 1);
        QCOMPARE(told.front().front().toString(),
                 QStringLiteral("Exported to %1 (4 KiB)").arg(file));
        QCOMPARE(cluster.exported().size(), size_t{1});
        QCOMPARE(cluster.exported().front().first, std::string("a"));
    }

    void anExportIsNotGivenUpUnasked()
    {
        useTemporarySettings();
        Window dashboard({HistoryPage::description()});
        dashboard.language.choose(Language::Choice::English);
        dashboard.window.show();
        FakeCluster& cluster = dashboard.cluster;
        auto& page = pageOf<HistoryPage>(dashboard.window);
        dashboard.window.findChild<PageStack*>()->showPage(&page);
        QVERIFY(page.isVisible());
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        auto* table = page.findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->selectRow(0);
        int closed = 0;
        const auto close = [&] { page.whenSaved([&] { ++closed; }); };
        close();
        QCOMPARE(closed, 1);
        // Nothing is answered meanwhile.
        std::promise<void> end;
        cluster.send("a", StopRun{},
                     [ended = end.get_future().share()](const Result<void>&) { ended.wait(); });
        QTest::mouseClick(button(page, "Export…"), Qt::LeftButton);
        auto* dialog = page.findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        const QTemporaryDir folder;
        Q_EMIT dialog->fileSelected(folder.filePath(QStringLiteral("out.ringrun")));
        dialog->close();
        QVERIFY(page.isUnsaved());
        QVERIFY(!dashboard.window.close());
        const auto box = [&] {
            return dashboard.window.findChild<QMessageBox*>(QStringLiteral("unfinishedExport"));
        };
        QVERIFY(box() != nullptr);
        button(*box(), "Keep exporting")->click();
        QTRY_VERIFY(box() == nullptr);
        QVERIFY(dashboard.window.isVisible());
        close();
        QVERIFY(box() != nullptr);
        button(*box(), "Keep exporting")->click();
        QTRY_VERIFY(box() == nullptr);
        QCOMPARE(closed, 1);
        close();
        QVERIFY(box() != nullptr);
        button(*box(), "Close the window")->click();
        QTRY_VERIFY(box() == nullptr);
        QCOMPARE(closed, 2);
        end.set_value();
        QTRY_VERIFY(!page.isUnsaved());
        close();
        QCOMPARE(closed, 3);
        QVERIFY(dashboard.window.close());
    }
};

QTEST_MAIN(tst_history)
#include "tst_history.moc"
