#include "app/bandwidth/BandwidthPage.h"
#include "app/bandwidth/SweepForm.h"
#include "app/bandwidth/SweepText.h"
#include "app/bridge/SaveFile.h"
#include "app/widget/Banner.h"
#include "app/widget/Card.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/EmptyState.h"
#include "app/widget/TableLook.h"

#include <QBuffer>
#include <QButtonGroup>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace ringmaster::app {

void BandwidthPage::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    buildHead();
    layout->addWidget(m_form);
    layout->addWidget(m_banner);
    buildTable();
    buildResults();
    layout->addLayout(m_stack, 1);
}

void BandwidthPage::buildHead()
{
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    setLook(m_title, "title");
    setLook(m_subtitle, "muted");
    setLook(m_run, "primary");
    head->addWidget(m_title);
    head->addWidget(m_subtitle, 1);
    for (QPushButton* button : {m_job, m_export, m_calibrate, m_stop, m_run})
        head->addWidget(button);
    static_cast<QVBoxLayout*>(layout())->addLayout(head);
    auto* menu = new QMenu(m_export);
    menu->addActions({m_csv, m_json, m_picture});
    m_export->setMenu(menu);
}

void BandwidthPage::buildTable()
{
    dressTable(*m_table);
    m_sorted.setSourceModel(&m_rows);
    m_sorted.setSortRole(SweepTableModel::SortRole);
    m_table->setModel(&m_sorted);
    m_table->setSortingEnabled(true);
    // As measured, until a column is chosen.
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_sorted.sort(-1);
    setColumnWidths(*m_table, {104, 96, 72, 66, 96, 92, 92, 108, 108, 90, 90, 66, 80});
}

void BandwidthPage::buildResults()
{
    auto* views = new QButtonGroup(this);
    for (QToolButton* button : {m_bandwidthButton, m_latencyButton}) {
        setLook(button, "flat");
        button->setCheckable(true);
        views->addButton(button);
        m_chartCard->addHeaderWidget(button);
    }
    m_bandwidthButton->setChecked(true);
    m_chartCard->content()->addWidget(m_chart, 1);
    m_tableCard->content()->addWidget(m_table, 1);
    m_list->setModel(&m_sweeps);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setSpacing(3);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    setLook(m_list, "framed");
    m_listCard->content()->addWidget(m_list, 1);
    m_lines->addWidget(m_chartCard);
    m_lines->addWidget(m_tableCard);
    m_columns->addWidget(m_lines);
    m_columns->addWidget(m_listCard);
    for (QSplitter* splitter : {m_lines, m_columns}) {
        splitter->setHandleWidth(12);
        splitter->setChildrenCollapsible(false);
    }
    m_lines->setSizes({460, 260});
    m_columns->setSizes({900, 230});
    m_columns->setStretchFactor(0, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_columns);
}

void BandwidthPage::connectControls()
{
    connect(m_form, &SweepForm::changed, this, &BandwidthPage::check);
    connect(&m_sweeps, &SweepListModel::shownChanged, this, &BandwidthPage::updateRuns);
    connect(m_run, &QPushButton::clicked, this, [this] { start(m_form->request()); });
    connect(m_calibrate, &QPushButton::clicked, this, [this] {
        m_pairs = calibrations();
        calibrateNext();
    });
    connect(&m_bridge, &EngineBridge::runsChanged, this, &BandwidthPage::followCalibration);
    connect(&m_bridge, &EngineBridge::hostsChanged, this, &BandwidthPage::listHosts);
    connect(m_stop, &QPushButton::clicked, this, &BandwidthPage::stop);
    connect(m_job, &QPushButton::clicked, this, [this] {
        if (latest() != nullptr)
            Q_EMIT jobChosen(QString::fromStdString(latest()->run()));
    });
    connect(m_latencyButton, &QToolButton::toggled, this, [this](bool latency) {
        m_chart->setView(latency ? SweepChart::View::Latency : SweepChart::View::Bandwidth);
        setTexts();
    });
    connect(m_chart, &Chart::seriesChosen, this, &BandwidthPage::chooseSeries);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = m_table->selectionModel()->selectedRows();
        m_chart->setSelected(
            rows.isEmpty() ? -1 : rows.first().data(SweepTableModel::SeriesRole).toInt());
    });
    connect(m_list, &QListView::activated, this, [this](const QModelIndex& index) {
        openRun(index.data(SweepListModel::RunRole).toString().toStdString());
    });
    connect(m_csv, &QAction::triggered, this, [this] { exportTable(QStringLiteral("csv")); });
    connect(m_json, &QAction::triggered, this, [this] { exportTable(QStringLiteral("json")); });
    connect(m_picture, &QAction::triggered, this, &BandwidthPage::exportPicture);
}

void BandwidthPage::exportTable(const QString& suffix)
{
    const std::vector<SweepTableModel::Row> rows = m_rows.rows();
    save(suffix, [rows, isCsv = suffix == QLatin1String("csv")] {
        return isCsv ? sweepCsv(rows) : sweepJson(rows);
    });
}

void BandwidthPage::exportPicture()
{
    // Twice as fine as on the screen, for papers and slides.
    constexpr int Scale = 2;
    QImage picture(m_chart->size() * Scale, QImage::Format_ARGB32_Premultiplied);
    picture.setDevicePixelRatio(Scale);
    picture.fill(themeTokens().card);
    m_chart->render(&picture);
    save(QStringLiteral("png"), [picture] {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        picture.save(&buffer, "PNG");
        return bytes;
    });
}

void BandwidthPage::save(const QString& suffix, const std::function<QByteArray()>& content)
{
    auto* dialog = new QFileDialog(this, tr("Save the sweep"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(QStringLiteral("sweep.") + suffix);
    connect(dialog, &QFileDialog::fileSelected, this, [this, content](const QString& path) {
        saveFile(m_files, this, path, content,
                 [this](const QString& told) { Q_EMIT toastRequested(told, nullptr); });
    });
    dialog->open();
}

void BandwidthPage::setTexts()
{
    m_title->setText(title());
    m_run->setText(tr("Run sweep"));
    m_stop->setText(tr("Stop sweep"));
    m_export->setText(tr("Export") + QStringLiteral(" ▾"));
    m_calibrate->setText(tr("Calibrate"));
    m_job->setText(tr("Show job"));
    m_job->setToolTip(tr("Workers, log and events of this sweep"));
    m_csv->setText(tr("Table as CSV…"));
    m_json->setText(tr("Table as JSON…"));
    m_picture->setText(tr("Chart as picture…"));
    const bool isLatency = m_latencyButton->isChecked();
    m_chartCard->setTitle(isLatency ? tr("Time against message size")
                                    : tr("Bus bandwidth against message size"));
    m_tableCard->setTitle(tr("Measurements"));
    m_listCard->setTitle(tr("Sweeps"));
    m_listCard->setSubtitle(tr("check to compare"));
    m_bandwidthButton->setText(tr("Bandwidth"));
    m_latencyButton->setText(tr("Latency"));
    m_chart->setAccessibleName(tr("Bandwidth by size; the table has the same content"));
    m_table->setAccessibleName(tr("Measurements"));
    m_list->setAccessibleName(tr("Sweeps"));
    m_empty->setTexts(tr("No sweep yet."),
                      tr("A sweep measures a collective over message sizes, with real workers, and "
                         "checks its results. Choose above what to measure, then run it."));
    updateCalibrate();
    updateHead();
}

} // namespace ringmaster::app
