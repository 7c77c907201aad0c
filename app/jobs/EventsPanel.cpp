#include "app/jobs/EventsPanel.h"

#include "app/jobs/SpanBar.h"
#include "app/widget/StateDelegate.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

namespace ringmaster::app {

EventsPanel::EventsPanel(const RunModel& run, TimeSpan& span, QWidget* parent)
    : Card(parent), m_span(span), m_events(run), m_table(new QTableView(this))
{
    dressTable(*m_table);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_shown.setSourceModel(&m_events);
    m_table->setModel(&m_shown);
    setColumnWidths(*m_table, {84, 118, 58});
    m_table->setItemDelegateForColumn(
        EventTableModel::Kind,
        new StateDelegate(StateDelegate::Kind::Severity, EventTableModel::SeverityRole, m_table));
    content()->addWidget(new SpanBar(span, this));
    content()->addWidget(m_table, 1);
    connect(&m_shown, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] {
        const QScrollBar* bar = m_table->verticalScrollBar();
        if (bar->value() == bar->maximum())
            QMetaObject::invokeMethod(m_table, &QTableView::scrollToBottom, Qt::QueuedConnection);
    });
    connect(&m_events, &QAbstractItemModel::rowsInserted, this, &EventsPanel::updateSubtitle);
    connect(&span, &TimeSpan::changed, this, [this] {
        m_shown.setRange(m_span.showsAll() ? std::nullopt : std::optional(m_span.shown()));
        updateSubtitle();
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        const int rank = index.data(EventTableModel::RankRole).toInt();
        if (rank >= 0)
            Q_EMIT rankSelected(rank);
    });
    translated(this, [this] { setTexts(); });
}

void EventsPanel::updateSubtitle()
{
    const int count = m_events.rowCount();
    if (!m_span.showsAll())
        return setSubtitle(tr("%1 of %n events", nullptr, count).arg(m_shown.rowCount()));
    setSubtitle(m_events.dropped() > 0
                    ? tr("the last %n events; older ones are in the run's file", nullptr, count)
                    : tr("%n events", nullptr, count));
}

void EventsPanel::setTexts()
{
    setTitle(tr("Events"));
    m_table->setAccessibleName(tr("Events of the run"));
    m_table->viewport()->update();
    updateSubtitle();
}

} // namespace ringmaster::app
