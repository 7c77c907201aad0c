#include "app/widget/PlotCanvas.h"

#include "app/widget/SizedFont.h"

#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QMouseEvent>
#include <QScrollBar>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr int AxisHeight = 22;
constexpr int TopMargin = 8;
constexpr int LabelSize = 11;
constexpr int TitleWidth = 22;
constexpr int LabelPadding = 8;
constexpr int RoomBetweenLabels = 22;
constexpr int RoomOfARow = 30;
constexpr double Before = -1; ///< Where the first category begins: out of sight.

QPen hairline(const QColor& color)
{
    QPen pen(color, 1);
    pen.setCosmetic(true);
    return pen;
}

int widest(const std::vector<PlotTick>& ticks, const QFontMetrics& metrics)
{
    int width = 0;
    for (const PlotTick& tick : ticks)
        width = std::max(width, metrics.horizontalAdvance(tick.label));
    return width;
}

} // namespace

PlotCanvas::PlotCanvas(QWidget* parent)
    : QChartView(parent), m_horizontal(new QCategoryAxis), m_vertical(new QCategoryAxis)
{
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(NoFrame);
    setBackgroundBrush(Qt::NoBrush);
    viewport()->setAutoFillBackground(false);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // what is behind isn't painted with it
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setViewportUpdateMode(FullViewportUpdate);
    // The plot has the keys, and tells screen readers what is here.
    setFocusPolicy(Qt::NoFocus);
    viewport()->setFocusPolicy(Qt::NoFocus);
    chart()->setBackgroundVisible(false);
    chart()->setMargins({});
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->legend()->hide();
    for (QCategoryAxis* axis : {m_horizontal, m_vertical}) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setTruncateLabels(false);
        axis->setShadesVisible(false);
        axis->setMinorGridLineVisible(false);
        axis->setRange(0, 1);
    }
    chart()->addAxis(m_horizontal, Qt::AlignBottom);
    chart()->addAxis(m_vertical, Qt::AlignLeft);
    dress();
}

void PlotCanvas::setOverlay(std::function<void(QPainter&, const QRectF&)> paint)
{
    m_overlay = std::move(paint);
}

/// The plot keeps its place while its labels change: it only gives way to wider ones.
void PlotCanvas::layOut(const std::vector<PlotTick>& vertical, bool hasTitle)
{
    const QFontMetrics metrics(sized(font(), LabelSize));
    m_labelWidth = std::max({m_labelWidth, widest(vertical, metrics),
                             metrics.horizontalAdvance(QStringLiteral("0.00"))});
    m_hasTitle = hasTitle;
    placePlot();
}

void PlotCanvas::placePlot()
{
    const QFontMetrics metrics(sized(font(), LabelSize));
    const int left = m_labelWidth + LabelPadding + (m_hasTitle ? TitleWidth : 0);
    const int right = metrics.horizontalAdvance(QStringLiteral("0:00:00")) / 2;
    m_plot = viewport()->rect().adjusted(left, TopMargin, -right, -AxisHeight);
    if (!m_plot.isValid() || chart()->plotArea() == QRectF(m_plot))
        return;
    chart()->setPlotArea(m_plot);
    // That moves the lines alone: axes and grid would stay where they were until a label changes.
    chart()->layout()->invalidate();
    chart()->layout()->activate();
}

void PlotCanvas::setAxes(const PlotAxis& horizontal, const PlotAxis& vertical)
{
    dress();
    const auto made = [](const PlotAxis& axis, int most) {
        std::vector<PlotTick> ticks =
            axis.ticks ? axis.ticks(std::max(2, most)) : std::vector<PlotTick>();
        for (PlotTick& tick : ticks)
            tick.at = axis.fractionOf(tick.at);
        std::erase_if(
            ticks, [](const PlotTick& tick) { return !(tick.at >= -1e-6 && tick.at <= 1 + 1e-6); });
        return ticks;
    };
    std::vector<PlotTick> rows = made(vertical, viewport()->height() / RoomOfARow);
    layOut(rows, !vertical.title.isEmpty());
    const QFontMetrics metrics(sized(font(), LabelSize));
    const int labelWidth = std::max(40, widest(made(horizontal, 8), metrics));
    const int most = m_plot.width() / (labelWidth + RoomBetweenLabels);
    label(*m_horizontal, m_horizontalTicks, made(horizontal, most));
    label(*m_vertical, m_verticalTicks, std::move(rows));
    if (m_vertical->titleText() != vertical.title)
        m_vertical->setTitleText(vertical.title);
}

/// An axis can't move a category: it gets all of them anew, if one has moved.
void PlotCanvas::label(QCategoryAxis& axis, std::vector<PlotTick>& shown,
                       std::vector<PlotTick> wanted)
{
    if (shown == wanted)
        return;
    for (const QString& text : axis.categoriesLabels())
        axis.remove(text);
    axis.setStartValue(Before);
    for (const PlotTick& tick : wanted) {
        // Names of categories differ; what makes them so isn't seen.
        QString name = tick.label;
        while (name.isEmpty() || axis.categoriesLabels().contains(name))
            name += QChar(0x200B);
        axis.append(name, std::clamp(tick.at, 0.0, 1.0));
    }
    axis.setRange(0, 1);
    shown = std::move(wanted);
}

void PlotCanvas::dress()
{
    const Tokens& tokens = themeTokens();
    const QFont small = sized(font(), LabelSize);
    for (QCategoryAxis* axis : {m_horizontal, m_vertical}) {
        if (axis->gridLineColor() == tokens.grid && axis->labelsFont() == small &&
            axis->labelsColor() == tokens.mutedText)
            continue;
        axis->setGridLinePen(hairline(tokens.grid));
        axis->setLinePen(hairline(tokens.grid));
        axis->setLabelsFont(small);
        axis->setLabelsBrush(tokens.mutedText);
        axis->setTitleFont(small);
        axis->setTitleBrush(tokens.mutedText);
    }
}

void PlotCanvas::resizeLines(size_t count)
{
    while (m_lines.size() > count) {
        chart()->removeSeries(m_lines.back());
        delete m_lines.back();
        m_lines.pop_back();
    }
    while (m_lines.size() < count) {
        auto* line = new QLineSeries;
        chart()->addSeries(line);
        line->attachAxis(m_horizontal);
        line->attachAxis(m_vertical);
        m_lines.push_back(line);
    }
}

void PlotCanvas::setLines(const std::vector<Line>& lines)
{
    resizeLines(lines.size());
    for (size_t i = 0; i < lines.size(); ++i) {
        QLineSeries& shown = *m_lines[i];
        QPen pen(lines[i].color, lines[i].width);
        pen.setCapStyle(lines[i].isDashed ? Qt::FlatCap : Qt::RoundCap);
        if (shown.pen() != pen)
            shown.setPen(pen);
        shown.setName(lines[i].name);
        // Half of what a line costs is this: its outline is made anew, for the mouse to hover on.
        if (!lines[i].points.empty() || shown.count() > 0)
            shown.replace(QList<QPointF>(lines[i].points.begin(), lines[i].points.end()));
    }
    viewport()->update();
}

void PlotCanvas::paintTo(QPainter& painter)
{
    scene()->render(&painter, viewport()->rect(), viewport()->rect());
    if (m_overlay)
        m_overlay(painter, m_plot);
}

void PlotCanvas::drawBackground(QPainter* painter, const QRectF& rect)
{
    painter->fillRect(rect, themeTokens().card);
}

void PlotCanvas::drawForeground(QPainter* painter, const QRectF& /*rect*/)
{
    // The scene's own rendering has no overlay of the view: paintTo() adds it.
    if (m_overlay)
        m_overlay(*painter, m_plot);
}

// Qt Charts 6.4 crashes on a press where no item is, and takes the wheel from the scroll area
// around.

void PlotCanvas::mousePressEvent(QMouseEvent* event)
{
    event->accept();
}

void PlotCanvas::mouseMoveEvent(QMouseEvent* event)
{
    Q_EMIT pointed(event->pos());
    event->accept();
}

void PlotCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        Q_EMIT clicked(event->pos());
    event->accept();
}

void PlotCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    event->accept();
}

void PlotCanvas::wheelEvent(QWheelEvent* event)
{
    event->ignore();
}

void PlotCanvas::keyPressEvent(QKeyEvent* event)
{
    event->ignore();
}

void PlotCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    event->ignore();
}

/// At once: ticks and thinned lines come later, but what is drawn until then stays in its frame.
void PlotCanvas::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    if (m_labelWidth > 0)
        placePlot();
}

bool PlotCanvas::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        Q_EMIT left();
    return QChartView::viewportEvent(event);
}

} // namespace ringmaster::app
