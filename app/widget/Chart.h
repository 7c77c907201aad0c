#pragma once

#include "app/widget/ChartLegend.h"
#include "app/widget/ChartTicks.h"

#include <QPointF>
#include <QWidget>

#include <optional>

namespace ringmaster::app {

struct ChartAxis
{
    enum class Scale { Linear, Logarithmic };

    Scale scale = Scale::Linear;
    double from = 0;
    double to = 1;
    QString title{};
    std::vector<ChartTick> ticks{};
    ChartLabel text{}; ///< Of one value, in full.
};

/// Lines over linear or logarithmic axes, with a legend, one chosen series and what is under the
/// mouse or the cursor keys. Knows nothing of what it shows; whoever owns it gives it a twin table.
class Chart : public QWidget
{
    Q_OBJECT

public:
    explicit Chart(QWidget* parent = nullptr);

    void setSeries(std::vector<ChartSeries> series);
    void setAxes(ChartAxis horizontal, ChartAxis vertical);
    /// -1: none. The others step back.
    void setSelected(int series);

    const std::vector<ChartSeries>& series() const { return m_series; }
    int selected() const { return m_selected; }
    QRect plotRect() const;
    QSize minimumSizeHint() const override { return {220, 90}; }

Q_SIGNALS:
    void seriesChosen(int series);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    static double fractionOf(const ChartAxis& axis, double value);
    QPointF place(const QPointF& point, const QRect& plot) const;
    ChartLegend legend() const { return {m_series, font(), width()}; }
    int labelWidth() const;
    int seriesAt(const QPoint& point) const;
    const QPointF* nearest(const ChartSeries& series, double x, const QRect& plot) const;
    void stepCursor(int by);
    void paintAxes(QPainter& painter, const QRect& plot) const;
    void paintVerticalTitle(QPainter& painter, const QRect& plot) const;
    void paintSeries(QPainter& painter, size_t index, const QRect& plot) const;
    void paintReadout(QPainter& painter, const QRect& plot) const;

    std::vector<ChartSeries> m_series;
    ChartAxis m_horizontal;
    ChartAxis m_vertical;
    int m_selected = -1;
    std::optional<double> m_cursor; ///< On the horizontal axis.
};

} // namespace ringmaster::app
