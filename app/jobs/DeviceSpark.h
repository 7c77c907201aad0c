#pragma once

#include "app/model/DeviceRows.h"
#include "app/model/TimeSpan.h"

#include <QWidget>

namespace ringmaster::app {

/// One quantity of a device as a small line over the span of time that all drawings of the run
/// show, with its value: the last one, or the one under the mouse.
class DeviceSpark : public QWidget
{
    Q_OBJECT

public:
    DeviceSpark(TimeSpan& span, QWidget* keys, QWidget* parent = nullptr);

    /// The track is read whenever it is painted: it outlives this.
    void show(const QString& device, const DeviceTrack& track);
    /// As high as one line, in front of the drawing, which is paler for that.
    void setLow(bool isLow);

    const DeviceTrack& track() const { return *m_track; }
    QString valueText() const;
    QRect plotRect() const;
    static constexpr int Height = 44;
    static constexpr int LowHeight = 20;
    QSize sizeHint() const override { return {180, m_isLow ? LowHeight : Height}; }
    QSize minimumSizeHint() const override { return {96, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void paintWords(QPainter& painter) const;
    void paintLines(QPainter& painter) const;
    std::vector<double> values() const;
    double shownTop() const;
    std::vector<QPolygonF> polygons(const std::vector<QPointF>& line, double top) const;

    TimeSpan& m_span;
    QString m_device;
    const DeviceTrack* m_track = nullptr; ///< None before show().
    std::optional<double> m_cursor;       ///< Monotonic ns.
    bool m_isLow = false;
};

} // namespace ringmaster::app
