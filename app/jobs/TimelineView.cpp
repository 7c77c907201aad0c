#include "app/jobs/TimelineView.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/jobs/TimeGestures.h"
#include "app/jobs/TimelinePainter.h"
#include "app/model/PhaseWords.h"
#include "app/widget/AccessibleRole.h"
#include "app/widget/Tokens.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace ringmaster::app {

TimelineView::TimelineView(const RunModel& run, TimeSpan& span, QWidget* parent)
    : QAbstractScrollArea(parent), m_run(run), m_span(span)
{
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // what is behind isn't painted with it
    setAccessibleRole(this, QAccessible::Chart);
    connect(&run, &RunModel::historyChanged, this, [this] {
        updateScrollBar();
        viewport()->update();
    });
    const auto repaint = [this] { viewport()->update(); };
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), repaint);
    connect(&span, &TimeSpan::changed, viewport(), repaint);
    auto* gestures = new TimeGestures(span, TimeGestures::BareKeys::Range, viewport(), this,
                                      [this] { return geometry().plot(); });
    connect(gestures, &TimeGestures::clicked, this,
            [this](const QPoint& point) { Q_EMIT rankChosen(geometry().rankAt(point.y())); });
}

void TimelineView::setSelectedRank(int globalRank)
{
    m_selectedRank = globalRank;
    viewport()->update();
}

int TimelineView::heightFor(int lanes) const
{
    const int shown = std::clamp(m_run.history().laneCount(), 1, lanes);
    return geometry().heightOf(shown) + 2 * frameWidth();
}

TimelineGeometry TimelineView::geometry() const
{
    return {m_run, m_span, *this};
}

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), themeTokens().card);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    const TimelineGeometry where = geometry();
    if (where.plot().width() < 20 || where.plot().height() < where.laneHeight())
        return;
    TimelinePainter(painter, m_run, m_span, where).paint(m_selectedRank);
    if (hasFocus()) {
        painter.setPen(themeTokens().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(.5, .5, -.5, -.5), 5, 5);
    }
}

void TimelineView::updateScrollBar()
{
    const TimelineGeometry where = geometry();
    const int wanted = m_run.history().laneCount() * where.laneHeight();
    const int room = where.plot().height();
    verticalScrollBar()->setRange(0, std::max(0, wanted - room));
    verticalScrollBar()->setPageStep(room);
    verticalScrollBar()->setSingleStep(where.laneHeight());
}

void TimelineView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const int lanes = m_run.history().laneCount();
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int by = event->key() == Qt::Key_Up ? -1 : 1;
        if (lanes > 0)
            Q_EMIT rankChosen(std::clamp(m_selectedRank + by, 0, lanes - 1));
        break;
    }
    default: QAbstractScrollArea::keyPressEvent(event); return;
    }
    event->accept();
}

bool TimelineView::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);
    return true;
}

QString TimelineView::hostToolTipAt(const QPoint& point, const TimelineGeometry& where) const
{
    const HostLane& lane =
        m_run.history().hostLanes()[static_cast<size_t>(where.hostAt(point.y()))];
    if (const StateSpan* span = where.spanAt(lane.spans, point.x())) {
        const QString said = tr("%1: %2 for %3")
                                 .arg(QString::fromStdString(span->host), word(span->hostState),
                                      durationText(where.endOf(*span) - span->from.monotonicNs));
        return saysAnything(span->reason) ? said + u'\n' + text(span->reason) : said;
    }
    return QString::fromStdString(lane.host);
}

QString TimelineView::toolTipAt(const QPoint& point) const
{
    const TimelineGeometry where = geometry();
    if (const StartMark* mark = where.startAt(point))
        return details(*mark, m_run.history());
    if (where.hostAt(point.y()) >= 0)
        return hostToolTipAt(point, where);
    if (const RestartMark* mark = where.restartAt(point.x()))
        return tr("Restart at %1: %2")
            .arg(clockText(mark->at.monotonicNs - m_run.history().begin().monotonicNs),
                 text(mark->cause));
    const int rank = where.rankAt(point.y());
    if (const StateSpan* span = where.spanAt(m_run.history().lane(rank), point.x()))
        return tr("%1, attempt %2: %3 for %4")
            .arg(rankText(rank))
            .arg(span->attempt + 1)
            .arg(word(span->health), durationText(where.endOf(*span) - span->from.monotonicNs));
    return {};
}

} // namespace ringmaster::app
