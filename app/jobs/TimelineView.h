#pragma once

#include "app/jobs/TimelineGeometry.h"

#include <QAbstractScrollArea>

namespace ringmaster::app {

/// Draws what the workers did over time: one lane a rank, a bar a state, a dashed line a restart
/// with what it left of the budget; above the lanes, where the time to the first collective went.
/// Only time is zoomed: it shows what `span` says. Its twin is the table of TimelineModel.
class TimelineView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    TimelineView(const RunModel& run, TimeSpan& span, QWidget* parent = nullptr);

    void setSelectedRank(int globalRank);
    /// Of all that there is to draw, at most of so many lanes.
    int heightFor(int lanes) const;

Q_SIGNALS:
    void rankChosen(int globalRank);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    TimelineGeometry geometry() const;
    void updateScrollBar();
    QString toolTipAt(const QPoint& point) const;
    QString hostToolTipAt(const QPoint& point, const TimelineGeometry& where) const;

    const RunModel& m_run;
    TimeSpan& m_span;
    int m_selectedRank = -1;
};

} // namespace ringmaster::app
