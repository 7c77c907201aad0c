#pragma once

#include "app/widget/PlotSeries.h"

#include <QAbstractButton>

namespace ringmaster::app {

/// One entry of a legend: a sample of the line and its name, pressed while the line is shown.
class PlotLegendEntry : public QAbstractButton
{
    Q_OBJECT

public:
    explicit PlotLegendEntry(QWidget* parent);

    void setSeries(const PlotSeries& series, bool isFaded);
    QSize sizeHint() const override;
    /// The same, for a picture of the plot.
    static void paint(QPainter& painter, const QRectF& rect, const PlotSeries& series, bool isShown,
                      bool isFaded);
    static int widthOf(const QString& name, const QFont& font);

    static constexpr int Height = 20;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    PlotSeries m_series; ///< Without its points.
    bool m_isFaded = false;
};

/// The names of a plot's lines in a row that wraps, each a button that hides its line. Tab comes to
/// one of them, the arrow keys go to the others.
class PlotLegend : public QWidget
{
    Q_OBJECT

public:
    explicit PlotLegend(QWidget* parent);

    /// `isShown` by series; -1: none is chosen.
    void show(const std::vector<PlotSeries>& series, const std::vector<bool>& isShown,
              int selected);

Q_SIGNALS:
    void toggled(int series);

private:
    friend class PlotLegendEntry;
    void focusNeighbour(const PlotLegendEntry* entry, int by);

    std::vector<PlotLegendEntry*> m_entries;
};

} // namespace ringmaster::app
