#pragma once

#include "app/widget/PlotCursor.h"
#include "app/widget/PlotLine.h"

#include <QElapsedTimer>
#include <QThreadPool>
#include <QTimer>
#include <QWidget>

#include <set>

namespace ringmaster::app {

class PlotCanvas;
class PlotLegend;

/// Lines over two axes, drawn by Qt Charts, with a legend whose entries hide their lines, one
/// chosen line, and a cross-hair with values that follows the mouse or the arrow keys. Knows
/// nothing of what it shows, and no type of Qt Charts leaves it; whoever owns it gives it a twin
/// table.
class PlotView : public QWidget
{
    Q_OBJECT

public:
    explicit PlotView(QWidget* parent = nullptr);
    ~PlotView() override;

    /// What is hidden stays so, by name.
    void setSeries(std::vector<PlotSeries> series);
    void setAxes(PlotAxis horizontal, PlotAxis vertical);
    /// -1: none. The others step back.
    void setSelected(int series);
    void setShown(int series, bool isShown);
    void showAllLines();
    /// What the context menu saves as CSV; unset: it can't.
    void setCsv(std::function<QByteArray()> csv) { m_csv = std::move(csv); }
    /// The name that files of it are offered by, without its suffix.
    void setFileName(const QString& name) { m_fileName = name; }

    const std::vector<PlotSeries>& series() const { return m_series; }
    const PlotAxis& horizontal() const { return m_horizontal; }
    const PlotAxis& vertical() const { return m_vertical; }
    int selected() const { return m_selected; }
    bool isShown(int series) const;
    bool areAllShown() const { return m_hidden.empty(); }
    /// Where the lines are, in the canvas's coordinates.
    QRect plotRect() const;
    /// What has the mouse: gestures watch it.
    QWidget* canvas() const;
    /// Under the cross-hair; empty: it isn't there.
    QString readingText() const;

    /// So many pixels each way for one of the screen's.
    QImage picture(int scale = 2);
    QByteArray drawing(); ///< SVG
    const std::function<QByteArray()>& csv() const { return m_csv; }
    const QString& fileName() const { return m_fileName; }
    QThreadPool& files() { return m_files; }
    /// To the range that was shown before; false: there is none.
    virtual bool goBack() { return false; }

    QSize minimumSizeHint() const override { return {220, 90}; }
    QSize sizeHint() const override { return {360, 220}; }

Q_SIGNALS:
    void seriesChosen(int series);
    /// A sentence for the reader: saved, or why not.
    void told(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void refreshSoon();
    void refresh();
    void updateLegend();
    void placeParts();
    std::vector<bool> shown() const;
    bool isFaded(size_t series) const;
    QColor colorOf(size_t series) const;
    double reach() const;
    int seriesAt(const QPoint& point) const;
    void pointAt(const QPoint& point);
    void stepCursor(int by);
    void paintOverlay(QPainter& painter, const QRectF& plot) const;
    void paintTo(QPainter& painter);

    std::vector<PlotSeries> m_series;
    std::vector<PlotLine> m_drawn; ///< By series, as last given to the canvas.
    PlotAxis m_horizontal;
    PlotAxis m_vertical;
    std::set<QString> m_hidden;
    int m_selected = -1;
    PlotCursor m_cursor;
    PlotLegend* m_legend;
    PlotCanvas* m_canvas;
    QTimer m_refresh;
    QElapsedTimer m_refreshed;
    bool m_isDirty = true;
    std::function<QByteArray()> m_csv;
    QString m_fileName = QStringLiteral("chart");
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app
