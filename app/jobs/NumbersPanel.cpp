#include "app/jobs/NumbersPanel.h"

#include "app/bridge/Words.h"
#include "app/jobs/NumberChart.h"
#include "app/model/NumberText.h"
#include "app/widget/Translated.h"

#include <QDateTime>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr QLatin1String NamesKey("names");
constexpr QLatin1String TableKey("table");
/// Of the numbers that aren't counters, in the head.
constexpr int MostTold = 2;

} // namespace

NumbersPanel::NumbersPanel(EngineBridge& bridge, const RunModel& run,
                           const OperationFeed& operations, TimeSpan& span, QWidget* parent)
    : TwinCard(parent)
    , m_run(run)
    , m_operations(operations)
    , m_span(span)
    , m_feed(bridge, run, this)
    , m_rows(span)
    , m_chart(new NumberChart(m_feed, span, this))
    , m_chooser(new QToolButton(this))
    , m_menu(new QMenu(m_chooser))
{
    setAvailable(false);
    setLook(m_chooser, "button");
    m_chooser->setObjectName(QStringLiteral("numberChooser"));
    m_chooser->setPopupMode(QToolButton::InstantPopup);
    m_chooser->setMenu(m_menu);
    addHeaderWidget(m_chooser);
    setView(m_chart);
    setSubtitleDispensable();
    m_chart->setCsv([this] {
        return numbersCsv(m_feed.summary(), m_span.shown(), m_run.history().begin().monotonicNs);
    });
    connect(m_chart, &NumberChart::rankChosen, this, &NumbersPanel::rankSelected);
    connect(m_chart, &NumberChart::told, this, &NumbersPanel::told);
    connect(&m_feed, &NumberFeed::changed, this, &NumbersPanel::update);
    connect(&operations, &OperationFeed::changed, this, &NumbersPanel::showSubtitle);
    connect(&span, &TimeSpan::changed, this, [this] {
        if (showsTable())
            m_rows.show(m_feed.summary());
    });
    connect(this, &TwinCard::tableShown, this, [this](bool shown) {
        // Rows that nobody sees needn't be followed.
        table()->setModel(shown ? &m_rows : nullptr);
        update();
    });
    connect(table(), &QTableView::clicked, this, [this](const QModelIndex& index) {
        Q_EMIT rankSelected(index.data(NumberTableModel::RankRole).toInt());
    });
    translated(this, [this] { setTexts(); });
}

void NumbersPanel::selectRank(int globalRank)
{
    m_chart->selectRank(globalRank);
    showSubtitle();
}

void NumbersPanel::setPageShown(bool isShown)
{
    m_isPageShown = isShown;
    updateWatch();
}

void NumbersPanel::showEvent(QShowEvent* event)
{
    TwinCard::showEvent(event);
    updateWatch();
    update();
    Q_EMIT watched(true);
}

void NumbersPanel::hideEvent(QHideEvent* event)
{
    TwinCard::hideEvent(event);
    updateWatch();
    Q_EMIT watched(false);
}

void NumbersPanel::updateWatch()
{
    m_feed.setWatch(isVisible()     ? NumberFeed::Watch::Full
                    : m_isPageShown ? NumberFeed::Watch::Sparse
                                    : NumberFeed::Watch::None);
}

void NumbersPanel::update()
{
    const NumberSummary& summary = m_feed.summary();
    setAvailable(!summary.names.empty());
    const auto& names = m_feed.names();
    const bool isFirstShown =
        names.size() == 1 && !summary.names.empty() && names.front() == summary.names.front();
    if (!m_isChosen && !summary.names.empty() && !isFirstShown)
        m_feed.setNames({summary.names.front()});
    updateMenu();
    showSubtitle();
    if (showsTable())
        m_rows.show(summary);
}

void NumbersPanel::updateMenu()
{
    const auto& names = m_feed.summary().names;
    if (static_cast<size_t>(m_menu->actions().size()) != names.size()) {
        m_menu->clear();
        for (const std::string& name : names) {
            QAction* action = m_menu->addAction(QString::fromStdString(name));
            action->setCheckable(true);
            connect(action, &QAction::triggered, this,
                    [this, name](bool isChosen) { choose(name, isChosen); });
        }
    }
    QStringList chosen;
    for (QAction* action : m_menu->actions()) {
        const bool isChosen =
            std::ranges::find(m_feed.names(), action->text().toStdString()) != m_feed.names().end();
        action->setChecked(isChosen);
        if (isChosen)
            chosen += action->text();
    }
    const QString text =
        chosen.size() > 2
            ? tr("%1 and %n more", nullptr, static_cast<int>(chosen.size()) - 1).arg(chosen.first())
            : chosen.join(QStringLiteral(", "));
    m_chooser->setText(text + QStringLiteral(" ▾"));
    m_chooser->setVisible(names.size() > 1);
}

void NumbersPanel::choose(const std::string& name, bool isChosen)
{
    auto names = m_feed.names();
    std::erase(names, name);
    if (isChosen)
        names.push_back(name);
    m_isChosen = !names.empty();
    m_feed.setNames(std::move(names));
    update();
}

/// "12 % · 4:05 left · step 120/1000 · loss 0.31 · 3.2 steps/s recorded"
void NumbersPanel::showSubtitle()
{
    const NumberSummary& summary = m_feed.summary();
    // First: the rest gives way where there is no room.
    QStringList parts;
    if (m_chart->drawnRanks() < m_chart->allRanks())
        parts +=
            tr("%1 of %n ranks drawn", nullptr, m_chart->allRanks()).arg(m_chart->drawnRanks());
    QStringList counters;
    QStringList others;
    std::string last; // a name once, of the lowest rank
    for (const NumberSummary::Latest& latest : summary.latest) {
        if (std::exchange(last, latest.name) == latest.name)
            continue;
        if (latest.isCounter)
            counters += numberText(latest);
        else if (others.size() < MostTold)
            others += numberText(latest);
    }
    if (summary.progress)
        parts += progressText(*summary.progress, QDateTime::currentMSecsSinceEpoch() * 1'000'000);
    parts += counters + others;
    if (const auto& steps = m_operations.summary().steps)
        parts += tr("%1 steps/s recorded").arg(steps->stepsPerSecond(), 0, 'g', 3);
    if (summary.isCut)
        parts += tr("more than can be kept is printed");
    setSubtitle(parts.join(QStringLiteral(" · ")));
}

QVariantMap NumbersPanel::saveState() const
{
    QStringList names;
    if (m_isChosen) {
        for (const std::string& name : m_feed.names())
            names += QString::fromStdString(name);
    }
    return {{NamesKey, names}, {TableKey, showsTable()}};
}

void NumbersPanel::restoreState(const QVariantMap& state)
{
    std::vector<std::string> names;
    for (const QString& name : state.value(NamesKey).toStringList())
        names.push_back(name.toStdString());
    m_isChosen = !names.empty();
    if (m_isChosen)
        m_feed.setNames(std::move(names));
    showTable(state.value(TableKey).toBool());
}

void NumbersPanel::setTexts()
{
    setTitle(tr("Numbers"));
    m_chooser->setToolTip(tr("Which of the numbers that the workers print are drawn"));
    m_chooser->setAccessibleName(tr("Numbers that are drawn"));
    setTwinTexts(tr("Printed numbers over time; the table has the same content"),
                 tr("Printed numbers as a table"), tr("Show the numbers as a table"));
    update();
}

} // namespace ringmaster::app
