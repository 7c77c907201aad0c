#include "app/history/CompareChart.h"
#include "app/history/CompareText.h"
#include "app/history/CompareView.h"
#include "app/history/HistoryPage.h"
#include "app/main/Language.h"
#include "tests/app/Scenario.h"
#include "tests/app/Window.h"

#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QTableWidget>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

/// Runs beside each other, from History.
class tst_compare : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useTemporarySettings(); }

    void init()
    {
        m_cluster = std::make_unique<FakeCluster>();
        m_scenario = std::make_unique<Scenario>(*m_cluster);
        m_bridge = std::make_unique<EngineBridge>(*m_cluster);
        m_page = std::make_unique<HistoryPage>(*m_bridge);
        m_page->resize(1200, 800);
        m_page->show();
        m_list = m_page->findChild<QTableView*>();
    }

    void cleanup()
    {
        m_page.reset();
        m_bridge.reset();
        m_scenario.reset();
        m_cluster.reset();
    }

    void severalRunsThatAreSelectedAreCompared()
    {
        m_scenario->comparable();
        QTRY_COMPARE(m_list->model()->rowCount(), 2);
        m_list->selectRow(0);
        QVERIFY(!button("Compare")->isEnabled());
        compareAll();
        // The older one is A.
        QTRY_COMPARE(cell("Settings that differ", "arguments", 1),
                     QStringLiteral("[\"--lr\", \"0.1\"]"));
        QCOMPARE(cell("Settings that differ", "arguments", 2),
                 QStringLiteral("[\"--lr\", \"0.05\"]"));
        QCOMPARE(cell("Settings that differ", "backend", 2), QStringLiteral("\"ring\""));
        QVERIFY(cell("Settings that differ", "workers", 1).isEmpty());
        QCOMPARE(cell("Results side by side", "Steps a second", 1), QStringLiteral("3.9"));
        QCOMPARE(cell("Results side by side", "Steps a second", 2), QStringLiteral("6.1 (1.56 ×)"));
        QCOMPARE(cell("Results side by side", "Restarts", 1), QStringLiteral("1"));
        QVERIFY(cell("Results side by side", "Restarted because", 1)
                    .contains(QStringLiteral("Rank 2")));
        QCOMPARE(cell("Results side by side", "Restarted because", 2), QStringLiteral("none"));
        QVERIFY(cell("Results side by side", "busbw of all_reduce from 256.0 KiB", 2)
                    .contains(QStringLiteral("4.06 ×")));
    }

    void allResultsAreInSightAndTheChartsHaveTheRest()
    {
        m_scenario->comparable();
        compareAll();
        QTRY_VERIFY(button("Table as CSV…")->isEnabled());
        const auto tables = m_page->findChild<CompareView*>()->findChildren<QTableWidget*>();
        const auto* chart = chartOf("Printed numbers");
        for (const QSize& size : {QSize(1200, 800), {780, 600}, {2300, 1400}}) {
            m_page->resize(size);
            for (const QTableWidget* table : tables)
                QTRY_VERIFY2(table->verticalScrollBar()->maximum() == 0,
                             qPrintable(QStringLiteral("%1 at %2: %3")
                                            .arg(table->accessibleName())
                                            .arg(size.width())
                                            .arg(table->verticalScrollBar()->maximum())));
            QVERIFY(chart->height() >= 180);
        }
        // Beside the tables, one below the other: their times are over each other.
        const auto* other = chartOf("Bus bandwidth");
        QTRY_VERIFY2(chart->height() > 480, qPrintable(QString::number(chart->height())));
        QVERIFY2(chart->width() > 1200, qPrintable(QString::number(chart->width())));
        const auto left = [&](const QWidget* each) { return each->mapTo(m_page.get(), QPoint()); };
        QCOMPARE(left(other).x(), left(chart).x());
        // Nor is the place below the tables empty.
        const auto* steps = chartOf("Steps a second");
        QTRY_VERIFY(steps->isVisible() && steps->height() > 240);
        QCOMPARE(steps->series().size(), size_t{2});
        QVERIFY(left(steps).y() > left(tables.back()).y() + tables.back()->height());
        QVERIFY(left(steps).x() + steps->width() < left(chart).x());
        for (const QTableWidget* table : tables)
            QVERIFY(left(table).x() + table->width() < left(chart).x());
        // Longer words, in rows of two lines.
        Language language;
        language.choose(Language::Choice::Japanese);
        m_page->resize(1222, 840);
        QTRY_VERIFY(!steps->isVisible());
        for (const QTableWidget* table : tables)
            QTRY_COMPARE(table->verticalScrollBar()->maximum(), 0);
        language.choose(Language::Choice::English);
        // A column's title stands over its figures.
        const QTableWidget* results = m_page->findChildren<QTableWidget*>().back();
        QVERIFY(results->horizontalHeaderItem(1)->textAlignment() & Qt::AlignRight);
    }

    void theFirstChartIsSeenWithoutScrolling()
    {
        m_scenario->comparable();
        compareAll();
        QTRY_VERIFY(button("Table as CSV…")->isEnabled());
        const auto* chart = chartOf("Printed numbers");
        const auto* results = m_page->findChildren<QTableWidget*>().back();
        const auto placeOf = [this](const QWidget* widget) {
            return QRect(widget->mapTo(m_page.get(), QPoint()), widget->size());
        };
        m_page->resize(1024 - 218, 674);
        QTRY_VERIFY(placeOf(chart).bottom() < placeOf(results).top());
        QVERIFY(m_page->rect().contains(placeOf(chart)));
        QVERIFY(placeOf(results).top() < m_page->height());
        m_page->resize(1222, 840);
        QTRY_VERIFY(placeOf(chart).top() > placeOf(results).bottom());
        m_page->resize(2300, 1400);
        QTRY_VERIFY(placeOf(chart).left() > placeOf(results).right());
        m_page->resize(1024 - 218, 674);
        QTRY_VERIFY(placeOf(chart).bottom() < placeOf(results).top());
    }

    void theirLinesAreLaidOverEachOther()
    {
        m_scenario->comparable();
        compareAll();
        auto* chart = chartOf("Printed numbers");
        QTRY_COMPARE(chart->series().size(), size_t{2});
        QCOMPARE(chart->series()[0].name, QStringLiteral("A digits-lr-0.1"));
        // From the launch of each: both begin at the left.
        for (const PlotSeries& line : chart->series())
            QVERIFY(line.points.front().x() < 3 && line.points.back().x() < 240);
        const double loss = chart->series()[1].points.back().y();
        auto* chooser = m_page->findChild<CompareView*>()->findChild<QComboBox*>();
        QCOMPARE(chooser->count(), 2);
        chooser->setCurrentIndex(1);
        QCOMPARE(chart->series().size(), size_t{2});
        const double steps = chart->series()[1].points.back().y();
        QVERIFY2(qAbs(steps - 6.1) < 1 && steps > loss, qPrintable(QString::number(steps)));
        auto* bandwidth = chartOf("Bus bandwidth");
        QCOMPARE(bandwidth->series().size(), size_t{2});
    }

    void theTableIsSavedAsCsv()
    {
        m_scenario->comparable();
        compareAll();
        QTRY_VERIFY(button("Table as CSV…")->isEnabled());
        QSignalSpy told(m_page.get(), &Page::toastRequested);
        QTest::mouseClick(button("Table as CSV…"), Qt::LeftButton);
        auto* dialog = m_page->findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("comparison.csv"));
        dialog->findChild<QLineEdit*>()->setText(path);
        QMetaObject::invokeMethod(dialog, "accept");
        QTRY_COMPARE(told.count(), 1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray csv = file.readAll();
        QVERIFY2(csv.startsWith("kind,name,digits-lr-0.1,digits-lr-0.05\n"), csv);
        QVERIFY2(csv.contains("result,Restarts,1,0\n"), csv);
        QVERIFY2(csv.contains("setting,backend,\"\"\"gloo\"\"\",\"\"\"ring\"\"\"\n"), csv);
    }

    void oneLeadsBackToTheList()
    {
        m_scenario->comparable();
        compareAll();
        QVERIFY(m_page->findChild<CompareView*>()->isVisible());
        QTest::mouseClick(button("‹ History"), Qt::LeftButton);
        QVERIFY(!m_page->findChild<CompareView*>()->isVisible());
        QVERIFY(m_list->isVisible());
    }

    void runsOfTheSameSettingsSaySo()
    {
        for (const RunSummary& run : m_scenario->comparable())
            m_cluster->setComparedRun({.id = run.id, .jobFile = "workers = 4\n"});
        compareAll();
        const auto says = [this] {
            const auto labels = m_page->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [](const QLabel* label) {
                return label->isVisible() &&
                       label->text() == QStringLiteral("All of them had the same settings.");
            });
        };
        QTRY_VERIFY(says());
        // Nothing was recorded or printed: no lines, no crash.
        QVERIFY(chartOf("Printed numbers")->series().empty());
    }

    void aRateIsNotTakenOverARestart()
    {
        QVERIFY(ratesOf({}).empty());
        const auto rates = ratesOf({{0, 0}, {1, 10}, {2, 20}, {3, 5}, {4, 15}});
        QCOMPARE(rates.size(), size_t{3});
        for (const QPointF& rate : rates)
            QCOMPARE(rate.y(), 10.0);
        QCOMPARE(rates.back().x(), 3.5);
    }

private:
    void compareAll()
    {
        QTRY_COMPARE(m_list->model()->rowCount(), 2);
        m_list->selectAll();
        QTest::mouseClick(button("Compare"), Qt::LeftButton);
    }

    /// By the beginning of its name.
    CompareChart* chartOf(const char* name) const
    {
        for (CompareChart* chart : m_page->findChildren<CompareChart*>()) {
            if (chart->accessibleName().startsWith(QLatin1String(name)))
                return chart;
        }
        return nullptr;
    }

    QPushButton* button(const char* text) const
    {
        for (QPushButton* each : m_page->findChildren<QPushButton*>()) {
            if (each->text() == QLatin1String(text) || each->text() == QString::fromUtf8(text))
                return each;
        }
        return nullptr;
    }

    /// In the row that begins so.
    QString cell(const char* tableName, const char* title, int column) const
    {
        for (QTableWidget* table : m_page->findChildren<QTableWidget*>()) {
            if (table->accessibleName() != QLatin1String(tableName))
                continue;
            for (int row = 0; row < table->rowCount(); ++row) {
                if (table->item(row, 0)->text() == QLatin1String(title))
                    return table->item(row, column)->text();
            }
        }
        return {};
    }

    std::unique_ptr<FakeCluster> m_cluster;
    std::unique_ptr<Scenario> m_scenario;
    std::unique_ptr<EngineBridge> m_bridge;
    std::unique_ptr<HistoryPage> m_page;
    QTableView* m_list = nullptr; ///< Of the runs; the comparison has tables, too.
};

QTEST_MAIN(tst_compare)
#include "tst_compare.moc"
