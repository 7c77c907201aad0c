#include "app/history/CompareView.h"

#include "app/bridge/MachineBridge.h"
#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/history/CompareChart.h"
#include "app/history/CompareTable.h"
#include "app/history/CompareText.h"
#include "app/history/ResultsTable.h"
#include "app/widget/Card.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/SaveDialog.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace ringmaster::app {

namespace {

/// Below, tables and charts stand one under the other.
constexpr int TwoColumns = 900;
/// From here on, the charts stand beside the tables and have all of the height.
constexpr int ChartsBeside = 1700;
/// … and below the tables is room for one more.
constexpr int HighPage = 1000;

} // namespace

CompareView::CompareView(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent)
    , m_bridge(bridge)
    , m_back(new QPushButton(this))
    , m_title(new QLabel(this))
    , m_names(new ElidedLabel(this))
    , m_export(new QPushButton(this))
    , m_cards(new QBoxLayout(QBoxLayout::TopToBottom))
    , m_tables(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_charts(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_settingsCard(new Card(this))
    , m_settings(new CompareTable(m_settingsCard))
    , m_same(new QLabel(m_settingsCard))
    , m_resultsCard(new Card(this))
    , m_results(new ResultsTable(m_resultsCard))
    , m_numberCard(new Card(this))
    , m_chooser(new QComboBox(m_numberCard))
    , m_number(new CompareChart(QStringLiteral("compared-numbers"), m_numberCard))
    , m_stepsCard(new Card(this))
    , m_steps(new CompareChart(QStringLiteral("compared-steps"), m_stepsCard))
    , m_bandwidthCard(new Card(this))
    , m_bandwidth(new CompareChart(QStringLiteral("compared-bandwidth"), m_bandwidthCard))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    buildHead(*layout);
    buildCards(*layout);
    connect(m_back, &QPushButton::clicked, this, &CompareView::backRequested);
    connect(m_export, &QPushButton::clicked, this, &CompareView::exportCsv);
    connect(m_chooser, &QComboBox::currentIndexChanged, this, &CompareView::showNumber);
    for (CompareChart* chart : {m_number, m_steps, m_bandwidth})
        connect(chart, &PlotView::told, this, &CompareView::told);
    translated(this, [this] { setTexts(); });
}

void CompareView::buildHead(QBoxLayout& layout)
{
    setLook(m_title, "title");
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(m_back);
    head->addWidget(m_title);
    head->addWidget(m_names, 1);
    head->addWidget(m_export);
    layout.addLayout(head);
}

void CompareView::buildCards(QBoxLayout& layout)
{
    for (QTableWidget* table : {m_settings, static_cast<CompareTable*>(m_results)}) {
        dressTable(*table, 28);
        table->horizontalHeader()->setStretchLastSection(false);
    }
    // What was said of a run is a sentence.
    m_results->setWordWrap(true);
    m_results->verticalHeader()->setMinimumSectionSize(28);
    m_results->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(m_results->verticalHeader(), &QHeaderView::sectionResized, this,
            &CompareView::fitTables, Qt::QueuedConnection);
    m_settingsCard->content()->addWidget(m_settings, 1);
    m_settingsCard->content()->addWidget(m_same, 1, Qt::AlignTop);
    m_resultsCard->content()->addWidget(m_results, 1);
    m_numberCard->addHeaderWidget(m_chooser);
    m_numberCard->content()->addWidget(m_number, 1);
    m_stepsCard->content()->addWidget(m_steps, 1);
    m_bandwidthCard->content()->addWidget(m_bandwidth, 1);
    m_tables->setSpacing(12);
    m_charts->setSpacing(12);
    m_tables->addWidget(m_settingsCard);
    m_tables->addWidget(m_resultsCard);
    m_tables->addWidget(m_stepsCard, 1);
    m_tables->addStretch();
    m_charts->addWidget(m_numberCard, 1);
    m_charts->addWidget(m_bandwidthCard, 1);
    for (Card* card : {m_numberCard, m_stepsCard, m_bandwidthCard})
        card->setMinimumHeight(240);
    m_stepsCard->hide();
    auto* inside = new QWidget(this);
    inside->setLayout(m_cards);
    m_cards->setContentsMargins(0, 0, 0, 0);
    m_cards->setSpacing(12);
    m_cards->addLayout(m_tables);
    m_cards->addLayout(m_charts);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(inside);
    inside->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    layout.addWidget(scroll, 1);
}

void CompareView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int width = event->size().width();
    const bool isBeside = width >= ChartsBeside;
    const auto direction =
        width < TwoColumns || isBeside ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    m_cards->setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_cards->setStretch(0, isBeside ? 2 : 0);
    m_cards->setStretch(1, isBeside ? 3 : 1);
    m_tables->setDirection(direction);
    placeFirstChart(width < TwoColumns);
    const bool isRow = direction == QBoxLayout::LeftToRight;
    m_tables->setStretchFactor(m_settingsCard, isRow ? 2 : 0);
    m_tables->setStretchFactor(m_resultsCard, isRow ? 3 : 0);
    m_charts->setDirection(direction);
    showSteps();
    fitTables();
}

/// In one column it stands above the results, which are long: it is seen without scrolling.
void CompareView::placeFirstChart(bool isAmongTables)
{
    const bool isThere = m_tables->indexOf(m_numberCard) >= 0;
    if (isThere == isAmongTables)
        return;
    (isThere ? m_tables : m_charts)->removeWidget(m_numberCard);
    if (isAmongTables)
        m_tables->insertWidget(1, m_numberCard);
    else
        m_charts->insertWidget(0, m_numberCard, 1);
    // The keyboard goes from top to bottom, too.
    setTabOrder(isAmongTables ? m_settings : m_results, m_chooser);
    setTabOrder(m_chooser, m_number);
    setTabOrder(m_number, isAmongTables ? static_cast<QWidget*>(m_results) : m_bandwidth);
    if (isAmongTables)
        setTabOrder(m_results, m_bandwidth);
    else
        setTabOrder(m_results, m_steps);
}

void CompareView::showSteps()
{
    const auto counts = [](const ComparedRun& run) {
        return !CompareChart::counterOf(run).empty();
    };
    const bool isBeside = width() >= ChartsBeside;
    const bool isShown = isBeside && height() >= HighPage && std::ranges::any_of(m_runs, counts);
    m_stepsCard->setVisible(isShown);
    m_tables->setStretch(m_tables->count() - 1, isBeside && !isShown ? 1 : 0);
    m_steps->show(isShown ? m_runs : std::vector<ComparedRun>{}, CompareChart::Shows::Steps);
}

/// They take what they need, the charts the rest.
void CompareView::fitTables()
{
    const bool isRow = m_tables->direction() == QBoxLayout::LeftToRight;
    for (CompareTable* table : {m_settings, static_cast<CompareTable*>(m_results)})
        table->fitHeight(isRow);
}

void CompareView::compare(const std::vector<RunSummary>& runs)
{
    ++m_generation;
    m_runs.assign(runs.size(), {});
    m_missing = runs.size();
    for (size_t i = 0; i < runs.size(); ++i) {
        m_runs[i].id = runs[i].id;
        const std::string machine = machineOf(runs[i].id).toStdString();
        m_runs[i].name = (machine.empty() ? "" : machine + ": ") + runs[i].shownName();
        m_runs[i].startedAt = runs[i].startedAt;
    }
    setTexts();
    fill();
    for (size_t i = 0; i < runs.size(); ++i) {
        m_bridge.ask(&Cluster::readComparedRun, runs[i].id, std::vector<std::string>{})
            .then(this, [this, i, generation = m_generation](const Result<ComparedRun>& answer) {
                if (generation == m_generation)
                    take(i, answer);
            });
    }
}

void CompareView::take(size_t place, const Result<ComparedRun>& answer)
{
    --m_missing;
    if (answer) {
        const std::string name = m_runs[place].name;
        m_runs[place] = *answer;
        m_runs[place].name = name;
    } else {
        Q_EMIT told(text(answer.error()));
    }
    // One table: each of them changes what differs.
    if (m_missing == 0)
        fill();
    m_resultsCard->setSubtitle(m_missing == 0 ? QString() : tr("reading the runs…"));
}

void CompareView::fill()
{
    const bool isRead = m_missing == 0;
    m_export->setEnabled(isRead);
    m_resultsCard->setSubtitle(isRead ? QString() : tr("reading the runs…"));
    const RunComparison comparison = isRead ? RunComparison::of(m_runs) : RunComparison{};
    fillSettings(comparison);
    if (isRead)
        m_results->showRuns(m_runs, comparison);
    else
        m_results->showColumns(m_runs.size());
    fillChooser();
    showNumber();
    showSteps();
    m_bandwidth->show(isRead ? m_runs : std::vector<ComparedRun>{}, CompareChart::Shows::Bandwidth);
    fitTables();
}

void CompareView::fillSettings(const RunComparison& comparison)
{
    m_settingsCard->setSubtitle(
        tr("%1 of %2 differ").arg(comparison.settings.size()).arg(comparison.settingCount));
    const bool isSame = m_missing == 0 && comparison.settings.empty();
    m_same->setVisible(isSame);
    m_settings->setVisible(!isSame);
    m_settings->begin(m_runs.size(), Qt::AlignLeft);
    for (const SettingDifference& difference : comparison.settings) {
        QStringList values;
        for (const std::string& value : difference.values)
            values << (value.empty() ? tr("not set") : QString::fromStdString(value));
        m_settings->addRow(QString::fromStdString(difference.setting), values);
    }
}

void CompareView::fillChooser()
{
    const QSignalBlocker quiet(m_chooser);
    // Before the runs are read there is but one, which nobody has chosen.
    const bool isChosen = m_chooser->count() > 1;
    const QVariant chosen = m_chooser->currentData();
    m_chooser->clear();
    for (const std::string& name : CompareChart::numbersOf(m_runs)) {
        const QString text = QString::fromStdString(name);
        m_chooser->addItem(text, text);
    }
    m_chooser->addItem(tr("Steps a second"), QString());
    m_chooser->setCurrentIndex(isChosen ? std::max(m_chooser->findData(chosen), 0) : 0);
}

void CompareView::showNumber()
{
    const QString name = m_chooser->currentData().toString();
    m_number->show(m_runs,
                   name.isEmpty() ? CompareChart::Shows::Steps : CompareChart::Shows::Number,
                   name.toStdString());
}

void CompareView::exportCsv()
{
    saveByDialog(
        this, m_files, tr("Save the comparison"), QStringLiteral("comparison.csv"),
        [csv = comparisonCsv(m_runs, RunComparison::of(m_runs))] { return csv; },
        [this](const QString& sentence) { Q_EMIT told(sentence); });
}

void CompareView::setTexts()
{
    m_back->setText(tr("‹ History"));
    m_back->setAccessibleName(tr("Back to the list of runs"));
    m_title->setText(tr("Compare"));
    QStringList names;
    for (size_t i = 0; i < m_runs.size(); ++i)
        names << QStringLiteral("%1  %2, %3")
                     .arg(letterOf(i), QString::fromStdString(m_runs[i].name),
                          dateTimeText(m_runs[i].startedAt));
    m_names->setText(names.join(QStringLiteral("   ·   ")));
    m_export->setText(tr("Table as CSV…"));
    m_settingsCard->setTitle(tr("Settings"));
    m_settings->setAccessibleName(tr("Settings that differ"));
    m_same->setText(tr("All of them had the same settings."));
    m_resultsCard->setTitle(tr("Results"));
    m_results->setAccessibleName(tr("Results side by side"));
    m_numberCard->setTitle(tr("Printed numbers"));
    m_chooser->setAccessibleName(tr("Number that is drawn"));
    m_number->setAccessibleName(tr("Printed numbers of the runs over time"));
    m_stepsCard->setTitle(tr("Steps a second"));
    m_steps->setAccessibleName(tr("Steps a second of the runs over time"));
    m_bandwidthCard->setTitle(tr("Bus bandwidth"));
    m_bandwidthCard->setSubtitle(tr("of the operation that moves the most"));
    m_bandwidth->setAccessibleName(tr("Bus bandwidth of the runs over time"));
    if (!m_runs.empty())
        fill();
}

} // namespace ringmaster::app
