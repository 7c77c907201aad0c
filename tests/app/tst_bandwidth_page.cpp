#include "app/bandwidth/BandwidthPage.h"
#include "app/bandwidth/SweepForm.h"
#include "app/bandwidth/SweepText.h"
#include "app/main/Pages.h"
#include "engine/job/Codes.h"
#include "tests/app/Window.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QListView>
#include <QPushButton>
#include <QTableView>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

/// A sweep by clicking, its pictures and its table.
class tst_bandwidth_page : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        useTemporarySettings();
        m_dashboard = std::make_unique<Window>(pages());
        m_dashboard->language.choose(Language::Choice::English);
        m_dashboard->window.show();
    }

    void cleanup() { m_dashboard.reset(); }

    void theFormIsTheRequest()
    {
        SweepForm form;
        SweepRequest wanted{.collectives = {"reduce_scatter"},
                            .backends = {"ring", "nccl"},
                            .smallest = 1024,
                            .largest = 1 << 24,
                            .factor = 4,
                            .ranks = 3,
                            .type = "bfloat16",
                            .reduction = "max",
                            .isChecked = false};
        form.setRequest(wanted);
        QVERIFY(form.request() == wanted);
        SweepForm other;
        other.restoreState(form.saveState());
        QVERIFY(other.request() == wanted);
    }

    void drawsASweepWhileItRuns()
    {
        const std::string run = m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 5);
        show();
        auto* chart = page().findChild<SweepChart*>();
        QTRY_COMPARE(chart->series().size(), size_t{1});
        QCOMPARE(chart->series()[0].name, QStringLiteral("gloo"));
        QCOMPARE(chart->series()[0].points.size(), size_t{5});
        QVERIFY(button("Stop sweep")->isVisible());
        m_dashboard->scenario.measure(run, 5, 26);
        QTRY_COMPARE(chart->series().size(), size_t{2});
        QCOMPARE(chart->series()[1].name, QStringLiteral("ring"));
        QCOMPARE(table().model()->rowCount(), 26);
        m_dashboard->scenario.endSweep(run);
        QTRY_VERIFY(button("Run sweep")->isVisible());
        QVERIFY(!button("Stop sweep")->isVisible());
    }

    void theTableHasNcclTestsColumns()
    {
        m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 26);
        show();
        QTRY_COMPARE(table().model()->rowCount(), 26);
        QCOMPARE(cell(0, SweepTableModel::Size), QStringLiteral("8"));
        QCOMPARE(cell(12, SweepTableModel::Size), QStringLiteral("134,217,728"));
        QCOMPARE(cell(12, SweepTableModel::Count), QStringLiteral("33,554,432"));
        QCOMPARE(cell(12, SweepTableModel::Wrong), QStringLiteral("0"));
        QVERIFY(cell(12, SweepTableModel::P99) != cell(12, SweepTableModel::P50));
        auto* chart = page().findChild<SweepChart*>();
        table().selectRow(20);
        QCOMPARE(chart->selected(), 1);
        QTest::keyClick(chart, Qt::Key_Up);
        QCOMPARE(table().selectionModel()->selectedRows().first().row(), 0);
    }

    void aRowThatCouldNotBeMeasuredSaysWhy()
    {
        SweepTableModel model;
        const QAbstractItemModelTester tester(&model);
        SweepRow row{.collective = "all_reduce", .backend = "nccl", .wantedBytes = 8};
        row.problem = {code::SweepWithoutGpu, {}, {}};
        model.show({{0, QString(), row}});
        QCOMPARE(model.index(0, SweepTableModel::BusBandwidth).data().toString(),
                 QStringLiteral("–"));
        QVERIFY(model.index(0, SweepTableModel::Note)
                    .data()
                    .toString()
                    .contains(QStringLiteral("GPU")));
        SweepChart chart;
        chart.show({{QStringLiteral("nccl"), 0}}, model.rows(), {});
        QVERIFY(chart.series()[0].points.empty());
    }

    void severalSweepsAreCompared()
    {
        m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 26, "one");
        m_dashboard->scenario.sweep("sweep all_reduce ring", 26, "two");
        show();
        auto* list = m_dashboard->find<QListView>(QStringLiteral("Sweeps"));
        QTRY_COMPARE(list->model()->rowCount(), 2);
        auto* chart = page().findChild<SweepChart*>();
        QTRY_COMPARE(chart->series().size(), size_t{2});
        QVERIFY(table().isColumnHidden(SweepTableModel::Run));
        for (int row = 0; row < 2; ++row)
            list->model()->setData(list->model()->index(row, 0), Qt::Checked, Qt::CheckStateRole);
        QTRY_COMPARE(chart->series().size(), size_t{4});
        QVERIFY(!table().isColumnHidden(SweepTableModel::Run));
        std::set<int> looks;
        for (const ChartSeries& series : chart->series())
            looks.insert(series.look);
        QCOMPARE(looks.size(), size_t{4});
    }

    void latencyIsAnotherViewOfTheSame()
    {
        m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 26);
        show();
        auto* chart = page().findChild<SweepChart*>();
        QTRY_COMPARE(chart->series().size(), size_t{2});
        const double bandwidth = chart->series()[0].points[0].y();
        QTest::mouseClick(button("Latency"), Qt::LeftButton);
        QCOMPARE(chart->view(), SweepChart::View::Latency);
        QVERIFY(chart->series()[0].points[0].y() != bandwidth);
        QVERIFY(chart->series()[0].points[0].y() >= 1000);
    }

    void exportsWhatTheTableHas()
    {
        SweepRow row{.collective = "all_reduce",
                     .backend = "ring",
                     .type = "float32",
                     .reduction = "sum",
                     .ranks = 4,
                     .wantedBytes = 1024,
                     .bytes = 1024,
                     .count = 256,
                     .timeNs = 12'500,
                     .p50Ns = 12'000,
                     .p99Ns = 20'000,
                     .algorithmBandwidth = 8.192e7,
                     .busBandwidth = 1.2288e8,
                     .wrong = 0};
        const std::vector<SweepTableModel::Row> rows{{0, QStringLiteral("a, \"b\""), row}};
        const QByteArray csv = sweepCsv(rows);
        QVERIFY2(csv.startsWith("sweep,collective,backend"), csv.constData());
        QVERIFY2(csv.contains("\"a, \"\"b\"\"\",all_reduce,ring"), csv.constData());
        QVERIFY2(csv.contains(",12.5,0.08192,0.12288,"), csv.constData());
        QCOMPARE(csv.count('\n'), 2);
        const QJsonObject json =
            QJsonDocument::fromJson(sweepJson(rows)).object()[QStringLiteral("rows")][0].toObject();
        QCOMPARE(json[QStringLiteral("size")].toInt(), 1024);
        QCOMPARE(json[QStringLiteral("p99_us")].toDouble(), 20.0);
        QCOMPARE(json[QStringLiteral("wrong")].toInt(-1), 0);
    }

    void aSweepOpensHereFromAnywhere()
    {
        const std::string run = m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 26);
        m_dashboard->cluster.settle();
        QTRY_VERIFY(m_dashboard->bridge.find(run) != nullptr);
        m_dashboard->window.showRun(QString::fromStdString(run));
        QVERIFY(page().isVisible());
        QTRY_COMPARE(table().model()->rowCount(), 26);
        QTest::mouseClick(button("Show job"), Qt::LeftButton);
        QVERIFY(!page().isVisible());
    }

private:
    BandwidthPage& page() { return *m_dashboard->window.findChild<BandwidthPage*>(); }
    QTableView& table() { return *m_dashboard->find<QTableView>(QStringLiteral("Measurements")); }
    QString cell(int row, int column)
    {
        return table().model()->index(row, column).data().toString();
    }

    void show()
    {
        m_dashboard->cluster.settle();
        QTRY_VERIFY(!m_dashboard->bridge.runs().empty());
        QTest::keyClick(&m_dashboard->window, Qt::Key_2, Qt::ControlModifier);
        QVERIFY(page().isVisible());
    }

    QAbstractButton* button(const char* words)
    {
        for (QAbstractButton* button : page().findChildren<QAbstractButton*>()) {
            if (button->text() == QLatin1String(words))
                return button;
        }
        return nullptr;
    }

    std::unique_ptr<Window> m_dashboard;
};

QTEST_MAIN(tst_bandwidth_page)
#include "tst_bandwidth_page.moc"
