#pragma once

#include "app/widget/PlotSeries.h"

#include <QChartView>

#include <functional>

class QCategoryAxis;
class QLineSeries;

namespace ringmaster::app {

/// The part of a PlotView that Qt Charts draws: axes and lines. Only PlotView includes it. All axes
/// of Qt Charts go from 0 to 1, and their labels are categories at values: its logarithmic axis
/// can't say "2K" and has no gaps, its time axis knows no elapsed time.
class PlotCanvas : public QChartView
{
    Q_OBJECT

public:
    /// By fractions of the axes; a NaN interrupts it.
    struct Line
    {
        QString name{};
        QColor color{};
        double width = 1.8;
        bool isDashed = false;
        std::vector<QPointF> points{};
    };

    explicit PlotCanvas(QWidget* parent);

    void setAxes(const PlotAxis& horizontal, const PlotAxis& vertical);
    void setLines(const std::vector<Line>& lines);
    /// What is painted over the lines; called with the plot's place.
    void setOverlay(std::function<void(QPainter&, const QRectF& plot)> paint);
    /// Into a picture of the canvas's size.
    void paintTo(QPainter& painter);

    QRect plotRect() const { return m_plot; }
    QSize minimumSizeHint() const override { return {160, 70}; }
    QSize sizeHint() const override { return {320, 160}; }

Q_SIGNALS:
    void pointed(const QPoint& point);
    void clicked(const QPoint& point);
    void left();

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut(const std::vector<PlotTick>& vertical, bool hasTitle);
    void placePlot();
    void label(QCategoryAxis& axis, std::vector<PlotTick>& shown, std::vector<PlotTick> wanted);
    void dress();
    void resizeLines(size_t count);

    QCategoryAxis* m_horizontal;
    QCategoryAxis* m_vertical;
    std::vector<QLineSeries*> m_lines;
    std::vector<PlotTick> m_horizontalTicks; ///< By fraction, as shown.
    std::vector<PlotTick> m_verticalTicks;
    QRect m_plot;
    int m_labelWidth = 0;
    bool m_hasTitle = false;
    std::function<void(QPainter&, const QRectF&)> m_overlay;
};

} // namespace ringmaster::app
