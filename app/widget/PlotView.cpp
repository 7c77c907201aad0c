#include "app/widget/PlotView.h"

#include "app/widget/PlotAccessible.h"
#include "app/widget/PlotCanvas.h"
#include "app/widget/PlotLegend.h"
#include "app/widget/PlotMenu.h"
#include "app/widget/PlotReading.h"

#include <QBuffer>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

constexpr int FrameWidth = 3;
constexpr int Reach = 14; ///< Pixels around a line that still mean it.
constexpr double FadedShare = 0.68;
constexpr int ShortestPause = 50; ///< ms between two refreshes.
constexpr double LimitWidth = 1.5;
constexpr int MostPoints = 5000; ///< Of all lines together: Qt Charts needs about 5 µs for each.

const std::vector<double>& limitDashes()
{
    static const std::vector<double> dashes{7, 5};
    return dashes;
}

} // namespace

PlotView::PlotView(QWidget* parent)
    : QWidget(parent), m_legend(new PlotLegend(this)), m_canvas(new PlotCanvas(this))
{
    setFocusPolicy(Qt::StrongFocus);
    PlotAccessible::install();
    m_files.setMaxThreadCount(1);
    m_refresh.setSingleShot(true);
    connect(&m_refresh, &QTimer::timeout, this, &PlotView::refresh);
    connect(m_legend, &PlotLegend::toggled, this,
            [this](int series) { setShown(series, !isShown(series)); });
    connect(m_canvas, &PlotCanvas::pointed, this, &PlotView::pointAt);
    connect(m_canvas, &PlotCanvas::clicked, this,
            [this](const QPoint& point) { Q_EMIT seriesChosen(seriesAt(point)); });
    connect(m_canvas, &PlotCanvas::left, this, [this] {
        m_cursor.clear();
        canvas()->update();
    });
    m_canvas->setOverlay(
        [this](QPainter& painter, const QRectF& plot) { paintOverlay(painter, plot); });
}

PlotView::~PlotView() = default;

void PlotView::setSeries(std::vector<PlotSeries> series)
{
    if (series == m_series)
        return;
    m_series = std::move(series);
    if (m_selected >= static_cast<int>(m_series.size()))
        m_selected = -1;
    updateLegend();
    refreshSoon();
}

void PlotView::setAxes(PlotAxis horizontal, PlotAxis vertical)
{
    m_horizontal = std::move(horizontal);
    m_vertical = std::move(vertical);
    refreshSoon();
}

void PlotView::setSelected(int series)
{
    if (std::exchange(m_selected, series) == series)
        return;
    updateLegend();
    refreshSoon();
}

void PlotView::setShown(int series, bool isShown)
{
    if (series < 0 || series >= static_cast<int>(m_series.size()))
        return;
    const QString& name = m_series[static_cast<size_t>(series)].name;
    if (isShown)
        m_hidden.erase(name);
    else
        m_hidden.insert(name);
    updateLegend();
    refreshSoon();
}

void PlotView::showAllLines()
{
    m_hidden.clear();
    updateLegend();
    refreshSoon();
}

bool PlotView::isShown(int series) const
{
    return series >= 0 && series < static_cast<int>(m_series.size()) &&
           m_hidden.count(m_series[static_cast<size_t>(series)].name) == 0;
}

std::vector<bool> PlotView::shown() const
{
    std::vector<bool> all;
    for (int i = 0; i < static_cast<int>(m_series.size()); ++i)
        all.push_back(isShown(i));
    return all;
}

QRect PlotView::plotRect() const
{
    return m_canvas->plotRect();
}

QWidget* PlotView::canvas() const
{
    return m_canvas->viewport();
}

void PlotView::updateLegend()
{
    m_legend->show(m_series, shown(), m_selected);
    placeParts();
}

/// By hand: a layout would ask for the height of a wrapped legend, and the page would jump.
void PlotView::placeParts()
{
    const QRect room = rect().adjusted(FrameWidth, FrameWidth, -FrameWidth, -FrameWidth);
    const int height = m_series.empty() ? 0 : m_legend->heightForWidth(room.width());
    m_legend->setGeometry(room.left(), room.top(), room.width(), height);
    m_canvas->setGeometry(room.adjusted(0, height, 0, 0));
}

/// A burst of changes costs one refresh, and what nobody sees none.
void PlotView::refreshSoon()
{
    m_isDirty = true;
    if (!isVisible() || m_refresh.isActive())
        return;
    const qint64 since = m_refreshed.isValid() ? m_refreshed.elapsed() : ShortestPause;
    m_refresh.start(static_cast<int>(std::clamp<qint64>(ShortestPause - since, 0, ShortestPause)));
}

void PlotView::refresh()
{
    m_isDirty = false;
    m_refresh.stop();
    m_refreshed.start();
    m_canvas->setAxes(m_horizontal, m_vertical);
    const QRect plot = m_canvas->plotRect();
    std::vector<PlotCanvas::Line> lines;
    m_drawn.clear();
    const int shownLines =
        std::max(1, static_cast<int>(std::ssize(m_series) - std::ssize(m_hidden)));
    const int columns = std::min(plot.width(), MostPoints / (2 * shownLines));
    for (size_t i = 0; i < m_series.size(); ++i) {
        const PlotSeries& series = m_series[i];
        const std::vector<double>& dashes =
            series.isLimit ? limitDashes() : seriesDashes(series.look);
        const bool isDrawn = isShown(static_cast<int>(i)) && plot.isValid();
        m_drawn.emplace_back(isDrawn ? series : PlotSeries(), m_horizontal, m_vertical, columns);
        const double width = series.isLimit                      ? LimitWidth
                             : static_cast<int>(i) == m_selected ? 2.6
                                                                 : 1.8;
        lines.push_back({series.name, colorOf(i), width, !dashes.empty(),
                         m_drawn.back().dashed(dashes, plot.size())});
    }
    m_canvas->setLines(lines);
}

bool PlotView::isFaded(size_t series) const
{
    return m_selected >= 0 && static_cast<size_t>(m_selected) != series;
}

QColor PlotView::colorOf(size_t series) const
{
    const Tokens& tokens = themeTokens();
    const QColor color = seriesColor(m_series[series].look, tokens);
    return isFaded(series) ? mixed(color, tokens.card, FadedShare) : color;
}

double PlotView::reach() const
{
    return static_cast<double>(Reach) / std::max(1, plotRect().width());
}

int PlotView::seriesAt(const QPoint& point) const
{
    const QRect plot = plotRect();
    if (!plot.isValid())
        return -1;
    const double fraction = static_cast<double>(point.x() - plot.left()) / plot.width();
    int found = -1;
    double least = Reach;
    for (const PlotReading& reading :
         readingsAt(m_series, shown(), m_horizontal, m_vertical, fraction, reach())) {
        const double y = plot.bottom() - reading.place.y() * plot.height();
        if (std::abs(y - point.y()) < least) {
            least = std::abs(y - point.y());
            found = reading.series;
        }
    }
    return found;
}

void PlotView::pointAt(const QPoint& point)
{
    const QRect plot = plotRect();
    m_cursor.clear();
    if (plot.contains(point))
        m_cursor.pointAt(static_cast<double>(point.x() - plot.left()) / std::max(1, plot.width()),
                         m_horizontal);
    canvas()->update();
}

/// From point to point of the chosen line, else of the first that is shown.
void PlotView::stepCursor(int by)
{
    int of = m_selected;
    for (int i = 0; of < 0 && i < static_cast<int>(m_series.size()); ++i) {
        if (isShown(i) && !m_series[static_cast<size_t>(i)].points.empty())
            of = i;
    }
    if (of < 0 || !m_cursor.step(by, m_series[static_cast<size_t>(of)], m_horizontal))
        return;
    canvas()->update();
    PlotAccessible::tell(*this);
}

QString PlotView::readingText() const
{
    if (!m_cursor.at())
        return {};
    const double fraction = m_horizontal.fractionOf(*m_cursor.at());
    const auto readings =
        readingsAt(m_series, shown(), m_horizontal, m_vertical, fraction, reach());
    return readingLines(readings, m_series, m_horizontal, m_vertical).join(u'\n');
}

void PlotView::keyPressEvent(QKeyEvent* event)
{
    const auto count = static_cast<int>(m_series.size());
    switch (event->key()) {
    case Qt::Key_Left: stepCursor(-1); break;
    case Qt::Key_Right: stepCursor(1); break;
    case Qt::Key_Home: stepCursor(-PlotCursor::All); break;
    case Qt::Key_End: stepCursor(PlotCursor::All); break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (count > 0)
            Q_EMIT seriesChosen(
                std::clamp(m_selected + (event->key() == Qt::Key_Up ? -1 : 1), 0, count - 1));
        break;
    case Qt::Key_Escape:
        if (m_selected < 0 && !m_cursor.at()) {
            if (!goBack())
                return QWidget::keyPressEvent(event);
            break;
        }
        m_cursor.clear();
        Q_EMIT seriesChosen(-1);
        canvas()->update();
        break;
    default: return QWidget::keyPressEvent(event);
    }
    event->accept();
}

void PlotView::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new PlotMenu(*this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
    menu->popup(isByKey ? mapToGlobal(rect().center()) : event->globalPos());
    event->accept();
}

void PlotView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    m_legend->update();
    placeParts();
    refreshSoon();
}

void PlotView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeParts();
    refreshSoon();
}

void PlotView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    placeParts();
    if (m_isDirty)
        refresh();
}

void PlotView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void PlotView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void PlotView::paintEvent(QPaintEvent* /*event*/)
{
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(themeTokens().accent);
    painter.drawRoundedRect(QRectF(rect()).adjusted(.5, .5, -.5, -.5), 5, 5);
}

void PlotView::paintOverlay(QPainter& painter, const QRectF& plot) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    for (size_t i = 0; i < m_series.size() && i < m_drawn.size(); ++i) {
        if (!isShown(static_cast<int>(i)))
            continue;
        if (m_series[i].isLimit)
            paintLimit(painter, plot, m_series[i], m_vertical);
        else
            paintPoints(painter, plot, m_drawn[i], m_series[i].look, colorOf(i));
    }
    const double fraction = m_cursor.at() ? m_horizontal.fractionOf(*m_cursor.at()) : -1;
    if (fraction >= 0 && fraction <= 1) {
        const auto readings =
            readingsAt(m_series, shown(), m_horizontal, m_vertical, fraction, reach());
        paintReadings(painter, plot, fraction, readings, m_series,
                      readingLines(readings, m_series, m_horizontal, m_vertical));
    }
    painter.restore();
}

void PlotView::paintTo(QPainter& painter)
{
    if (m_isDirty)
        refresh();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), themeTokens().card);
    const auto entries = m_legend->findChildren<PlotLegendEntry*>(Qt::FindDirectChildrenOnly);
    for (qsizetype i = 0; i < entries.size(); ++i) {
        painter.setFont(font());
        PlotLegendEntry::paint(painter, entries[i]->geometry().translated(m_legend->pos()),
                               m_series[static_cast<size_t>(i)], isShown(static_cast<int>(i)),
                               isFaded(static_cast<size_t>(i)));
    }
    painter.translate(m_canvas->pos());
    painter.setFont(font());
    m_canvas->paintTo(painter);
}

QImage PlotView::picture(int scale)
{
    QImage picture(size() * scale, QImage::Format_ARGB32_Premultiplied);
    picture.setDevicePixelRatio(scale);
    QPainter painter(&picture);
    paintTo(painter);
    return picture;
}

QByteArray PlotView::drawing()
{
    QByteArray svg;
    QBuffer buffer(&svg);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size());
    generator.setViewBox(rect());
    generator.setTitle(accessibleName());
    QPainter painter(&generator);
    paintTo(painter);
    painter.end();
    return svg;
}

} // namespace ringmaster::app
