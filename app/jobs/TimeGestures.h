#pragma once

#include "app/model/TimeSpan.h"

#include <QPoint>
#include <QRect>

#include <functional>

class QKeyEvent;
class QMouseEvent;
class QRubberBand;
class QWheelEvent;

namespace ringmaster::app {

/// The same hands for every drawing with a time axis: dragging selects a span, with Shift or the
/// middle button it moves; Ctrl and the wheel, + and - zoom, 0 shows all. Watches `canvas`, on
/// which the drawing is, and `keys`, which has the focus.
class TimeGestures : public QObject
{
    Q_OBJECT

public:
    TimeGestures(TimeSpan& span, QWidget* canvas, QWidget* keys, std::function<QRect()> plot);

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    /// A press that didn't become a selection.
    void clicked(const QPoint& point);

private:
    bool wheel(QWheelEvent* event);
    bool press(QMouseEvent* event);
    bool move(QMouseEvent* event);
    bool release(QMouseEvent* event);
    bool key(QKeyEvent* event);
    std::int64_t timeAt(int x) const;

    TimeSpan& m_span;
    QWidget* m_canvas;
    std::function<QRect()> m_plot;
    QRubberBand* m_band;
    QPoint m_from;
    Qt::MouseButton m_button = Qt::NoButton;
    bool m_isMoving = false;
};

} // namespace ringmaster::app
