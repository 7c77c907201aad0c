#include "app/jobs/ArrivalLens.h"

#include "app/bridge/Words.h"
#include "app/model/ArrivalTableModel.h"
#include "app/model/OperationText.h"
#include "app/widget/AccessibleRole.h"
#include "app/widget/PlotTicks.h"
#include "app/widget/SizedFont.h"
#include "app/widget/StateLook.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <map>

namespace ringmaster::app {

namespace {

constexpr int ColumnWidth = 14;
constexpr int WidestColumn = 34;
constexpr int LegendHeight = 22;
constexpr int AxisHeight = 22;
constexpr int LabelWidth = 64;
constexpr double DotSize = 7;

} // namespace

ArrivalLens::ArrivalLens(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleRole(this, QAccessible::Chart);
}

void ArrivalLens::show(std::vector<OperationSummary::Collective> collectives, RankClocks clocks)
{
    m_collectives = std::move(collectives);
    m_clocks = std::move(clocks);
    update();
}

void ArrivalLens::setSelectedRank(int globalRank)
{
    m_selectedRank = globalRank;
    update();
}

std::int64_t ArrivalLens::clockErrorNs() const
{
    std::int64_t most = 0;
    for (const OperationSummary::Collective& collective : m_collectives)
        most = std::max(most, m_clocks.errorNs(collective));
    return most;
}

std::optional<ArrivalLens::Habit> ArrivalLens::latecomer() const
{
    std::map<int, int> times;
    for (const OperationSummary::Collective& collective : m_collectives) {
        if (m_clocks.isCertain(collective))
            ++times[collective.last().rank];
    }
    if (times.empty())
        return std::nullopt;
    const auto most =
        std::ranges::max_element(times, {}, [](const auto& entry) { return entry.second; });
    return Habit{most->first, most->second, static_cast<int>(m_collectives.size())};
}

QRect ArrivalLens::plotRect() const
{
    return rect().adjusted(LabelWidth, LegendHeight + 8, -14, -AxisHeight);
}

double ArrivalLens::topNs() const
{
    std::vector<double> skews;
    for (const OperationSummary::Collective& collective : m_collectives)
        skews.push_back(static_cast<double>(collective.skewNs()));
    if (skews.empty())
        return 1e6;
    std::ranges::sort(skews);
    const double usual = skews[(skews.size() - 1) * 9 / 10];
    const double most = skews.back();
    return std::max(1e3, most > 3 * usual && usual > 0 ? 1.5 * usual : most);
}

size_t ArrivalLens::firstShown(const QRect& plot) const
{
    const auto room = static_cast<size_t>(std::max(1, plot.width() / ColumnWidth));
    return m_collectives.size() > room ? m_collectives.size() - room : 0;
}

template <class Visit>
void ArrivalLens::forEachDot(Visit visit) const
{
    const QRect plot = plotRect();
    const size_t first = firstShown(plot);
    const size_t shown = m_collectives.size() - first;
    if (shown == 0 || plot.width() < ColumnWidth)
        return;
    const double column = std::min<double>(WidestColumn, static_cast<double>(plot.width()) /
                                                             static_cast<double>(shown));
    const double scaleTop = linearTicks(topNs(), 4, [](double) { return QString(); }).back().at;
    for (size_t i = 0; i < shown; ++i) {
        const OperationSummary::Collective& collective = m_collectives[first + i];
        const std::int64_t zero = collective.first().enteredNs;
        const int last = m_clocks.isCertain(collective) ? collective.last().rank : -1;
        const double x = plot.left() + column * (static_cast<double>(i) + 0.5);
        for (const OperationSummary::Arrival& arrival : collective.arrivals) {
            const std::int64_t lateNs = arrival.enteredNs - zero;
            const double late = static_cast<double>(lateNs) / scaleTop;
            visit(Dot{.collective = &collective,
                      .arrival = &arrival,
                      .at = {x, plot.bottom() - std::min(late, 1.0) * plot.height()},
                      .isLast = arrival.rank == last && collective.skewNs() > 0,
                      .lateNs = lateNs,
                      .isOffScale = late > 1});
        }
    }
}

std::optional<ArrivalLens::Dot> ArrivalLens::dotAt(const QPointF& point) const
{
    std::optional<Dot> best;
    double least = 12;
    forEachDot([&](const Dot& dot) {
        const double distance = QLineF(dot.at, point).length();
        // Of those on the same place the last to come is meant.
        if (distance < least || (best && distance == least && dot.isLast)) {
            least = distance;
            best = dot;
        }
    });
    return best;
}

void ArrivalLens::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect plot = plotRect();
    if (plot.width() < 40 || plot.height() < 20)
        return;
    paintAxis(painter, plot);
    paintLegend(painter);
    std::vector<Dot> above;
    forEachDot([&](const Dot& dot) {
        if (dot.isLast || dot.arrival->rank == m_selectedRank)
            above.push_back(dot);
        else
            paintDot(painter, dot);
    });
    for (const Dot& dot : above)
        paintDot(painter, dot);
    if (hasFocus()) {
        painter.setPen(themeTokens().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(.5, .5, -.5, -.5), 5, 5);
    }
}

void ArrivalLens::paintAxis(QPainter& painter, const QRect& plot) const
{
    const Tokens& tokens = themeTokens();
    painter.setFont(sized(font(), 11));
    const auto label = [](double ns) { return preciseDurationText(static_cast<std::int64_t>(ns)); };
    const std::vector<PlotTick> ticks = linearTicks(topNs(), 4, label);
    for (const PlotTick& tick : ticks) {
        const double y = plot.bottom() - tick.at / ticks.back().at * plot.height();
        painter.setPen(tokens.grid);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(tokens.mutedText);
        painter.drawText(QRectF(0, y - 8, LabelWidth - 8, 16), Qt::AlignRight | Qt::AlignVCenter,
                         tick.at == 0 ? QStringLiteral("0") : tick.label);
    }
    if (m_collectives.empty())
        return;
    const size_t first = firstShown(plot);
    const auto numberOf = [](const OperationSummary::Collective& collective) {
        return QStringLiteral("#%1").arg(collective.number);
    };
    const QRectF below(plot.left(), plot.bottom() + 4, plot.width(), AxisHeight - 4);
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, numberOf(m_collectives[first]));
    if (m_collectives.size() > first + 1)
        painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, numberOf(m_collectives.back()));
}

void ArrivalLens::paintLegend(QPainter& painter) const
{
    const Tokens& tokens = themeTokens();
    painter.setFont(sized(font(), 12));
    double x = 6;
    const auto entry = [&](Glyph glyph, const QColor& color, const QString& words) {
        paintGlyph(painter, {x, LegendHeight / 2.0 - 4, 8, 8}, glyph, color);
        painter.setPen(tokens.mutedText);
        const double wide = painter.fontMetrics().horizontalAdvance(words);
        painter.drawText(QRectF(x + 14, 0, wide + 2, LegendHeight), Qt::AlignVCenter, words);
        x += wide + 34;
    };
    entry(Glyph::Circle, withAlpha(tokens.running.fill, 0.7),
          tr("a rank, after the first to come"));
    entry(Glyph::Triangle, tokens.warning.fill, tr("last to come"));
    if (m_selectedRank >= 0)
        entry(Glyph::HollowCircle, tokens.accent, rankText(m_selectedRank));
    const std::int64_t error = clockErrorNs();
    if (error == 0)
        return;
    const QString bound = preciseDurationText(error);
    QString words = tr("clocks of the hosts: ± %1").arg(bound);
    if (painter.fontMetrics().horizontalAdvance(words) > width() - x)
        words = QStringLiteral("± %1").arg(bound);
    painter.setPen(tokens.mutedText);
    painter.drawText(QRectF(x, 0, width() - x, LegendHeight), Qt::AlignVCenter, words);
}

void ArrivalLens::paintDot(QPainter& painter, const Dot& dot) const
{
    const Tokens& tokens = themeTokens();
    const double size = dot.isLast ? DotSize + 3 : DotSize;
    const QPointF half(size / 2, size / 2);
    paintGlyph(painter, QRectF(dot.at - half, dot.at + half),
               dot.isLast ? Glyph::Triangle : Glyph::Circle,
               dot.isLast ? tokens.warning.fill : withAlpha(tokens.running.fill, 0.55));
    if (dot.isOffScale && dot.arrival == &dot.collective->last())
        paintOffScale(painter, dot);
    if (dot.arrival->rank != m_selectedRank)
        return;
    painter.setPen(QPen(tokens.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(dot.at, size / 2 + 2.5, size / 2 + 2.5);
}

/// An arrow out of the picture, and how far.
void ArrivalLens::paintOffScale(QPainter& painter, const Dot& dot) const
{
    const Tokens& tokens = themeTokens();
    const QPointF tip = dot.at - QPointF(0, DotSize + 4);
    painter.setPen(QPen(tokens.warning.text, 1.6, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(tip, tip + QPointF(-3.5, 3.5));
    painter.drawLine(tip, tip + QPointF(3.5, 3.5));
    painter.setFont(sized(font(), 11));
    const QString words = preciseDurationText(dot.lateNs);
    const double wide = painter.fontMetrics().horizontalAdvance(words) + 2;
    const bool fitsRight = dot.at.x() + DotSize + wide < width();
    painter.drawText(QRectF(fitsRight ? dot.at.x() + DotSize : dot.at.x() - DotSize - wide,
                            dot.at.y() - 8, wide, 16),
                     Qt::AlignVCenter, words);
}

std::vector<std::int64_t> ArrivalLens::offScaleNs() const
{
    std::vector<std::int64_t> late;
    forEachDot([&late](const Dot& dot) {
        if (dot.isOffScale && dot.arrival == &dot.collective->last())
            late.push_back(dot.lateNs);
    });
    return late;
}

void ArrivalLens::mousePressEvent(QMouseEvent* event)
{
    const auto dot = dotAt(event->position());
    Q_EMIT rankChosen(dot ? dot->arrival->rank : -1);
}

void ArrivalLens::keyPressEvent(QKeyEvent* event)
{
    if (m_collectives.empty() || (event->key() != Qt::Key_Up && event->key() != Qt::Key_Down))
        return QWidget::keyPressEvent(event);
    // Along the ranks of the latest operation.
    const auto& arrivals = m_collectives.back().arrivals;
    const auto at = std::ranges::find(arrivals, m_selectedRank, &OperationSummary::Arrival::rank);
    const int by = event->key() == Qt::Key_Up ? -1 : 1;
    const auto last = static_cast<int>(arrivals.size()) - 1;
    const int next = at == arrivals.end()
                         ? 0
                         : std::clamp(static_cast<int>(at - arrivals.begin()) + by, 0, last);
    Q_EMIT rankChosen(arrivals[static_cast<size_t>(next)].rank);
    event->accept();
}

bool ArrivalLens::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    QString words;
    if (const auto dot = dotAt(help->pos()))
        words = dot->isLast ? latenessText(*dot->collective, m_clocks)
                            : tr("%1 #%2: %3 came %4 after the first")
                                  .arg(operationName(dot->collective->kind),
                                       QString::number(dot->collective->number),
                                       rankText(dot->arrival->rank),
                                       preciseDurationText(dot->arrival->enteredNs -
                                                           dot->collective->first().enteredNs));
    QToolTip::showText(help->globalPos(), words, this);
    return true;
}

} // namespace ringmaster::app
