#pragma once

#include <QObject>
#include <QPoint>
#include <QRect>

#include <functional>

class QKeyEvent;
class QMouseEvent;
class QRubberBand;
class QWheelEvent;

namespace ringmaster::app {

/// The part of a horizontal axis that is shown, in fractions of what is shown at the moment.
class ShownRange
{
public:
    virtual ~ShownRange() = default;
    virtual void select(double from, double to) = 0;
    virtual void zoom(double factor, double at) = 0;
    virtual void pan(double by) = 0;
    virtual void showAll() = 0;
    /// To what was shown before; false: nothing.
    virtual bool goBack() = 0;
};

/// The same hands for every drawing with a range: dragging selects, with Shift or the middle button
/// it moves; Ctrl and the wheel, + and - zoom, Shift and an arrow moves, 0 shows all, a double
/// click and Backspace go back. Watches `canvas`, on which the drawing is, and `keys`, which has
/// the focus.
class RangeGestures : public QObject
{
    Q_OBJECT

public:
    /// Whether arrows without Shift, and Esc, are for the range, or for the drawing alone.
    enum class BareKeys { Range, Drawing };

    RangeGestures(ShownRange& range, BareKeys bareKeys, QWidget* canvas, QWidget* keys,
                  std::function<QRect()> plot);

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
    double fractionAt(int x) const;

    ShownRange& m_range;
    BareKeys m_bareKeys;
    QWidget* m_canvas;
    std::function<QRect()> m_plot;
    QRubberBand* m_band;
    QPoint m_from;
    Qt::MouseButton m_button = Qt::NoButton;
    bool m_isMoving = false;
};

} // namespace ringmaster::app
