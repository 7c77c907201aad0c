#include "app/learn/ScenePainter.h"

#include "app/bridge/Words.h"
#include "app/widget/Theme.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>

#include <cmath>
#include <numbers>

namespace ringmaster::app {

namespace {

using Link = LessonScene::Link;

constexpr double LineHeight = 17;
constexpr double CellHeight = 20;
constexpr qsizetype MostCells = 8;

struct Painting
{
    Q_DECLARE_TR_FUNCTIONS(ScenePainter)
};

/// Where the line from the middle of `box` to `towards` leaves it.
QPointF edgeOf(const QRectF& box, const QPointF& towards)
{
    const QPointF way = towards - box.center();
    const double across = way.x() == 0 ? 1e9 : box.width() / 2 / std::abs(way.x());
    const double down = way.y() == 0 ? 1e9 : box.height() / 2 / std::abs(way.y());
    return box.center() + way * std::min({across, down, 1.0});
}

QString elided(const QPainter& painter, const QString& text, double width)
{
    return painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(width));
}

void paintHeadOfArrow(QPainter& painter, const QPointF& tip, const QPointF& from, double size)
{
    const double angle = std::atan2(tip.y() - from.y(), tip.x() - from.x());
    const auto corner = [&](double turn) {
        return tip - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * size;
    };
    painter.drawPolygon(QPolygonF{tip, corner(0.45), corner(-0.45)});
}

} // namespace

ScenePainter::ScenePainter(const LessonScene& scene, const QRectF& area, double scale)
    : m_scene(scene), m_area(area.adjusted(6, 6, -6, -6)), m_scale(scale)
{
    const auto count = static_cast<double>(scene.ranks.size());
    const double widest = count <= 2 ? 0.42 : count <= 4 ? 0.34 : 0.265;
    const double highest = count <= 2 ? 0.62 : count <= 4 ? 0.27 : 0.225;
    m_box = {std::min(m_area.width() * widest, 250 * scale),
             std::min(m_area.height() * highest, 130 * scale)};
}

QRectF ScenePainter::boxOf(int rank) const
{
    const auto count = static_cast<double>(m_scene.ranks.size());
    if (rank < 0 || rank >= count)
        return {};
    // Two stand side by side, more begin at the top; all alike, none in the middle.
    const double first = count == 2 ? std::numbers::pi : -std::numbers::pi / 2;
    const double angle = first + 2 * std::numbers::pi * rank / count;
    const QPointF middle =
        m_area.center() + QPointF(std::cos(angle) * (m_area.width() - m_box.width()) / 2,
                                  std::sin(angle) * (m_area.height() - m_box.height()) / 2);
    return {middle.x() - m_box.width() / 2, middle.y() - m_box.height() / 2, m_box.width(),
            m_box.height()};
}

QFont ScenePainter::fontOf(double pixels, bool isBold) const
{
    QFont font = QGuiApplication::font();
    font.setPixelSize(static_cast<int>(pixels * m_scale));
    font.setBold(isBold);
    return font;
}

QFont ScenePainter::monospace(double pixels) const
{
    QFont font = monospaceFont();
    font.setPixelSize(static_cast<int>(pixels * m_scale));
    return font;
}

void ScenePainter::paint(QPainter& painter, int selectedRank) const
{
    int row = 0;
    for (const LessonScene::Meeting& meeting : m_scene.meetings)
        paintMeeting(painter, meeting, row++);
    for (const Link& link : m_scene.links)
        paintLink(painter, link);
    for (const LessonScene::Rank& rank : m_scene.ranks)
        paintRank(painter, rank, rank.rank == selectedRank);
    // Last: what a message says is never hidden by a box.
    for (const Link& link : m_scene.links)
        paintLabel(painter, link);
}

/// Who has come into a collective and who is back: what goes on inside of it is another matter.
void ScenePainter::paintMeeting(QPainter& painter, const LessonScene::Meeting& meeting,
                                int row) const
{
    const Tokens& tokens = themeTokens();
    painter.setFont(fontOf(12, true));
    const QString text = meeting.name + u'\n' + meeting.state;
    const QSizeF size(std::max(painter.fontMetrics().horizontalAdvance(meeting.name),
                               painter.fontMetrics().horizontalAdvance(meeting.state)) +
                          24 * m_scale,
                      40 * m_scale);
    const QPointF middle = m_area.center() + QPointF(0, row * (size.height() + 6));
    const QRectF box(middle.x() - size.width() / 2, middle.y() - size.height() / 2, size.width(),
                     size.height());
    const Tokens::State& color = meeting.disagrees ? tokens.failed : tokens.running;
    const auto has = [](const std::vector<int>& ranks, int rank) {
        return std::ranges::find(ranks, rank) != ranks.end();
    };
    for (const int rank : meeting.members) {
        const bool isIn = has(meeting.entered, rank);
        const bool isBack = has(meeting.back, rank);
        const QPointF outer = edgeOf(boxOf(rank), middle);
        const QPointF inner = edgeOf(box, outer);
        painter.setBrush(isIn ? color.fill : tokens.neutral.fill);
        painter.setPen(QPen(isIn ? color.fill : tokens.neutral.fill, isIn ? 2 : 1.3,
                            isIn ? Qt::SolidLine : Qt::DotLine));
        painter.drawLine(outer, inner);
        painter.setPen(Qt::NoPen);
        if (isBack)
            paintHeadOfArrow(painter, outer, inner, 10 * m_scale);
        else if (isIn)
            paintHeadOfArrow(painter, inner, outer, 10 * m_scale);
    }
    painter.setPen(QPen(color.fill, 1.5));
    painter.setBrush(tokens.card);
    painter.drawRoundedRect(box, 8, 8);
    painter.setPen(color.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

/// To the left of its way, so that two that go to and fro lie apart; what waits bends further, and
/// between two ranks side by side all pass above or below them.
QPointF ScenePainter::bendOf(const Link& link) const
{
    const bool isWait = link.kind == Link::Kind::Wait || link.kind == Link::Kind::Cycle;
    const QPointF from = boxOf(link.from).center();
    const QPointF to = boxOf(link.to).center();
    const QPointF way = to - from;
    const double length = std::max(1.0, std::hypot(way.x(), way.y()));
    const QPointF side = QPointF(way.y(), -way.x()) / length;
    const double past = m_scene.ranks.size() == 2 ? m_box.height() + 44 * m_scale : 18 * m_scale;
    return (from + to) / 2 + side * (past + (isWait ? 60 : 0) * m_scale);
}

void ScenePainter::paintLink(QPainter& painter, const Link& link) const
{
    if (boxOf(link.from).isEmpty() || boxOf(link.to).isEmpty() || link.from == link.to)
        return;
    const bool isWait = link.kind == Link::Kind::Wait || link.kind == Link::Kind::Cycle;
    const StateLook look = lookOf(link.kind, themeTokens());
    const QPointF bend = bendOf(link);
    const QPointF start = edgeOf(boxOf(link.from), bend);
    QPointF end = edgeOf(boxOf(link.to), bend);
    if (link.kind == Link::Kind::Offered)
        end = start + (end - start) * 0.8;
    QPainterPath path(start);
    path.quadTo(bend, end);
    const Qt::PenStyle style = isWait                             ? Qt::DashLine
                               : link.kind == Link::Kind::Awaited ? Qt::DotLine
                                                                  : Qt::SolidLine;
    painter.setPen(QPen(look.color.fill, link.kind == Link::Kind::Cycle ? 3 : 2, style));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.color.fill);
    paintHeadOfArrow(painter, end, bend, 11 * m_scale);
}

void ScenePainter::paintLabel(QPainter& painter, const Link& link) const
{
    if (boxOf(link.from).isEmpty() || boxOf(link.to).isEmpty() || link.from == link.to)
        return;
    const QPointF straight = (boxOf(link.from).center() + boxOf(link.to).center()) / 2;
    const QPointF at = (bendOf(link) + straight) / 2;
    const Tokens& tokens = themeTokens();
    const StateLook look = lookOf(link.kind, tokens);
    painter.setFont(fontOf(11));
    QStringList lines;
    const bool isWait = link.kind == Link::Kind::Wait || link.kind == Link::Kind::Cycle;
    if (!link.value.isEmpty() && !isWait)
        lines << (link.bytes > 0 ? Painting::tr("%1 · %2 bytes").arg(link.value).arg(link.bytes)
                                 : link.value);
    lines << (link.line > 0 ? Painting::tr("%1 · line %2").arg(link.state).arg(link.line)
                            : link.state);
    double width = 0;
    for (QString& line : lines) {
        line = elided(painter, line, (m_scene.ranks.size() > 2 ? 150 : 220) * m_scale);
        width = std::max<double>(width, painter.fontMetrics().horizontalAdvance(line));
    }
    const double height = painter.fontMetrics().height() * static_cast<double>(lines.size());
    QRectF box(0, 0, width + 30 * m_scale, height + 6);
    box.moveCenter(at);
    box.moveLeft(std::clamp(box.left(), m_area.left(),
                            std::max(m_area.left(), m_area.right() - box.width())));
    painter.setPen(QPen(look.color.fill, 1.2));
    painter.setBrush(tokens.card);
    painter.drawRoundedRect(box, 5, 5);
    const double size = 10 * m_scale;
    paintGlyph(painter, {box.left() + 6, box.center().y() - size / 2, size, size}, look.shape,
               look.color.fill);
    painter.setPen(look.color.text);
    painter.drawText(box.adjusted(12 + size, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     lines.join(u'\n'));
}

void ScenePainter::paintRank(QPainter& painter, const LessonScene::Rank& rank,
                             bool isSelected) const
{
    const Tokens& tokens = themeTokens();
    const QRectF box = boxOf(rank.rank);
    const StateLook look = lookOf(rank.standing, tokens);
    painter.setPen(QPen(look.color.fill, rank.isActor ? 2.6 : 1.4));
    painter.setBrush(isSelected ? tokens.selection : tokens.card);
    painter.drawRoundedRect(box, 8, 8);
    painter.save();
    painter.setClipRect(box.adjusted(2, 2, -2, -2));
    const QRectF inner = box.adjusted(9, 5, -9, -4);
    paintHead(painter, rank, inner);
    painter.setFont(fontOf(11));
    QRectF rest = inner.adjusted(0, LineHeight * m_scale, 0, 0);
    if (!rank.detail.isEmpty()) {
        painter.setPen(look.color.text);
        painter.drawText(QRectF(rest.left(), rest.top(), rest.width(), LineHeight * m_scale),
                         Qt::AlignVCenter, elided(painter, rank.detail, rest.width()));
        rest.setTop(rest.top() + LineHeight * m_scale);
    }
    paintValues(painter, rank, rest);
    painter.restore();
}

void ScenePainter::paintHead(QPainter& painter, const LessonScene::Rank& rank,
                             const QRectF& box) const
{
    const Tokens& tokens = themeTokens();
    const StateLook look = lookOf(rank.standing, tokens);
    const QRectF line(box.left(), box.top(), box.width(), LineHeight * m_scale);
    painter.setFont(fontOf(12, true));
    painter.setPen(rankColor(rank.rank, tokens));
    const QString name = rankText(rank.rank);
    painter.drawText(line, Qt::AlignVCenter, name);
    double left = line.left() + painter.fontMetrics().horizontalAdvance(name) + 8 * m_scale;
    painter.setFont(fontOf(11));
    const double size = 10 * m_scale;
    paintGlyph(painter, {left, line.center().y() - size / 2, size, size}, look.shape,
               look.color.fill);
    left += size + 4 * m_scale;
    painter.setPen(look.color.text);
    const QString state =
        rank.line > 0 ? Painting::tr("%1, line %2").arg(rank.state).arg(rank.line) : rank.state;
    painter.drawText(line.adjusted(left - line.left(), 0, 0, 0), Qt::AlignVCenter,
                     elided(painter, state, line.right() - left));
    left += painter.fontMetrics().horizontalAdvance(state) + 8;
    const QString pid = Painting::tr("pid %1").arg(rank.pid);
    painter.setPen(tokens.mutedText);
    if (rank.pid > 0 && left + painter.fontMetrics().horizontalAdvance(pid) < line.right())
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, pid);
}

void ScenePainter::paintValues(QPainter& painter, const LessonScene::Rank& rank,
                               const QRectF& area) const
{
    const Tokens& tokens = themeTokens();
    QRectF line(area.left(), area.top() + 2, area.width(), CellHeight * m_scale);
    QStringList scalars;
    for (const LessonScene::Value& value : rank.values) {
        if (!value.isTensor) {
            scalars << QStringLiteral("%1 = %2").arg(value.name, value.elements.join(u' '));
            continue;
        }
        if (line.bottom() > area.bottom())
            continue;
        line.moveTop(line.top() + paintTensor(painter, value, rank.rank, line));
    }
    if (scalars.isEmpty() || line.top() + 12 * m_scale > area.bottom())
        return;
    painter.setFont(monospace(11));
    painter.setPen(tokens.mutedText);
    painter.drawText(line, Qt::AlignVCenter,
                     elided(painter, scalars.join(QStringLiteral("  ")), line.width()));
}

double ScenePainter::paintTensor(QPainter& painter, const LessonScene::Value& value, int rank,
                                 const QRectF& line) const
{
    const Tokens& tokens = themeTokens();
    painter.setFont(monospace(11));
    const double nameWidth =
        std::min(line.width() * 0.36, painter.fontMetrics().horizontalAdvance(value.name) + 6.0);
    painter.setPen(tokens.mutedText);
    painter.drawText(QRectF(line.left(), line.top(), nameWidth, line.height()), Qt::AlignVCenter,
                     elided(painter, value.name, nameWidth - 2));
    const qsizetype count = std::clamp<qsizetype>(value.elements.size(), 1, MostCells);
    const double width = std::min(62 * m_scale, (line.width() - nameWidth) / double(count));
    const QColor color = rankColor(rank, tokens);
    for (qsizetype i = 0; i < std::min(count, value.elements.size()); ++i) {
        const QRectF cell(line.left() + nameWidth + width * double(i), line.top() + 1, width - 2,
                          line.height() - 3);
        painter.setPen(QPen(color, value.isNew ? 2 : 1));
        painter.setBrush(withAlpha(color, value.isNew ? 0.28 : 0.08));
        painter.drawRoundedRect(cell, 3, 3);
        painter.setPen(tokens.text);
        const bool isRest = i + 1 == count && (value.elements.size() > count || !value.isWhole);
        painter.drawText(
            cell, Qt::AlignCenter,
            elided(painter, isRest ? QStringLiteral("…") : value.elements.at(i), cell.width() - 2));
    }
    return line.height() + 2;
}

} // namespace ringmaster::app
