#include "app/learn/ScenePainter.h"

#include "app/bridge/Words.h"
#include "app/learn/SceneLinkPainter.h"
#include "app/widget/Theme.h"

#include <QPainter>
#include <QRegularExpression>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr double LineHeight = 17;
constexpr double CellHeight = 20;
constexpr qsizetype MostCells = 8;

QString elided(const QPainter& painter, const QString& text, double width)
{
    return painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(width));
}

} // namespace

ScenePainter::ScenePainter(const LessonScene& scene, const QRectF& area, double scale)
    : m_scene(scene), m_layout(scene, area, scale), m_scale(scale)
{
}

void ScenePainter::paint(QPainter& painter, int selectedRank) const
{
    // What is told of a collective's inside says more than who is in it.
    const bool hasChunks = std::ranges::any_of(m_scene.links, [](const LessonScene::Link& link) {
        return link.kind == LessonScene::Link::Kind::Chunk ||
               link.kind == LessonScene::Link::Kind::Corrupted;
    });
    const SceneLinkPainter links(m_scene, m_layout);
    SceneLinkPainter::Taken taken;
    for (const LessonScene::Rank& rank : m_scene.ranks)
        taken.push_back(m_layout.boxOf(rank.rank));
    const size_t boxes = taken.size();
    links.paintGroups(painter);
    for (const LessonScene::Collective& collective : m_scene.collectives) {
        taken.push_back(links.boxOf(painter, collective, static_cast<int>(taken.size() - boxes)));
        links.paintCollective(painter, collective, taken.back(), !hasChunks);
    }
    for (const LessonScene::Link& link : m_scene.links)
        links.paintLink(painter, link);
    for (const LessonScene::Rank& rank : m_scene.ranks)
        paintRank(painter, rank, rank.rank == selectedRank);
    links.paintBadges(painter);
    // Last: what a message says is never hidden by a box.
    for (const LessonScene::Link& link : m_scene.links)
        links.paintLabel(painter, link, taken);
    for (size_t i = 0; !hasChunks && i < m_scene.collectives.size(); ++i)
        links.paintParts(painter, m_scene.collectives[i], taken[boxes + i], taken);
}

void ScenePainter::paintRank(QPainter& painter, const LessonScene::Rank& rank,
                             bool isSelected) const
{
    const Tokens& tokens = themeTokens();
    const QRectF box = m_layout.boxOf(rank.rank);
    const StateLook look = lookOf(rank.standing, tokens);
    painter.setPen(QPen(look.color.fill, rank.isActor ? 2.6 : 1.4));
    painter.setBrush(isSelected ? tokens.selection : tokens.card);
    painter.drawRoundedRect(box, 8, 8);
    painter.save();
    painter.setClipRect(box.adjusted(2, 2, -2, -2));
    const QRectF inner = box.adjusted(9, 5, -9, -4);
    paintHead(painter, rank, inner);
    painter.setFont(m_layout.fontOf(11));
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
    painter.setFont(m_layout.fontOf(12, true));
    painter.setPen(rankColor(rank.rank, tokens));
    const QString name = rankText(rank.rank);
    painter.drawText(line, Qt::AlignVCenter, name);
    double left = line.left() + painter.fontMetrics().horizontalAdvance(name) + 8 * m_scale;
    painter.setFont(m_layout.fontOf(11));
    const double size = 10 * m_scale;
    paintGlyph(painter, {left, line.center().y() - size / 2, size, size}, look.shape,
               look.color.fill);
    left += size + 4 * m_scale;
    painter.setPen(look.color.text);
    QString state = rank.state;
    if (!rank.file.isEmpty())
        state = tr("%1, %2 line %3").arg(state, rank.file).arg(rank.line);
    else if (rank.line > 0)
        state = tr("%1, line %2").arg(state).arg(rank.line);
    // Of a small box the editor's pointers have the line, too.
    if (painter.fontMetrics().horizontalAdvance(state) > line.right() - left)
        state = rank.state;
    painter.drawText(line.adjusted(left - line.left(), 0, 0, 0), Qt::AlignVCenter,
                     elided(painter, state, line.right() - left));
    left += painter.fontMetrics().horizontalAdvance(state) + 8;
    const QString pid = tr("pid %1").arg(rank.pid);
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
    painter.setFont(m_layout.monospace(11));
    painter.setPen(tokens.mutedText);
    painter.drawText(line, Qt::AlignVCenter,
                     elided(painter, scalars.join(QStringLiteral("  ")), line.width()));
}

/// What stands in the cells of a tensor, and where: beside its name, or where that is too narrow
/// beneath it, in all of the box's width.
struct ScenePainter::Cells
{
    QStringList texts{};
    double width = 0;
    double left = 0;
    bool isBeneath = false;
};

ScenePainter::Cells ScenePainter::cellsOf(const QPainter& painter, const LessonScene::Value& value,
                                          const QRectF& line, double nameWidth) const
{
    const QFontMetrics metrics = painter.fontMetrics();
    const auto widest = [&](const QStringList& texts) {
        double width = 0;
        for (const QString& text : texts)
            width = std::max(width, metrics.horizontalAdvance(text) + 6.0);
        return width;
    };
    const double count =
        static_cast<double>(std::clamp<qsizetype>(value.elements.size(), 1, MostCells));
    const double most = 62 * m_scale;
    Cells cells{.texts = value.elements.mid(0, MostCells), .left = line.left() + nameWidth};
    if (value.elements.size() > MostCells || (!value.isWhole && !cells.texts.isEmpty()))
        cells.texts.back() = QStringLiteral("…");
    cells.width = std::min(most, (line.width() - nameWidth) / count);
    if (widest(cells.texts) <= cells.width)
        return cells;
    // Of numbers that are all whole, the .0 says nothing.
    static const QRegularExpression whole(QStringLiteral("^-?\\d+\\.0$"));
    const bool areWhole = std::ranges::all_of(cells.texts, [](const QString& text) {
        return text.size() == 1 || whole.match(text).hasMatch();
    });
    for (QString& text : cells.texts) {
        if (areWhole && text.size() > 1)
            text.chop(2);
    }
    cells.isBeneath = widest(cells.texts) > cells.width;
    if (cells.isBeneath) {
        cells.left = line.left();
        cells.width = std::min(most, line.width() / count);
    }
    return cells;
}

double ScenePainter::paintTensor(QPainter& painter, const LessonScene::Value& value, int rank,
                                 const QRectF& line) const
{
    const Tokens& tokens = themeTokens();
    painter.setFont(m_layout.monospace(11));
    const QString name = (value.warning.isEmpty() ? QString() : QStringLiteral("▲")) + value.name;
    const double nameWidth =
        std::min(line.width() * 0.36, painter.fontMetrics().horizontalAdvance(name) + 6.0);
    const Cells cells = cellsOf(painter, value, line, nameWidth);
    const bool isWarned = !value.warning.isEmpty();
    painter.setPen(isWarned ? tokens.failed.text : tokens.mutedText);
    const double nameRoom = cells.isBeneath ? line.width() : nameWidth;
    painter.drawText(QRectF(line.left(), line.top(), nameRoom, line.height()), Qt::AlignVCenter,
                     elided(painter, name, nameRoom - 2));
    const double top = line.top() + (cells.isBeneath ? line.height() - 3 : 0);
    for (qsizetype i = 0; i < cells.texts.size(); ++i) {
        const QRectF cell(cells.left + cells.width * double(i), top + 1, cells.width - 2,
                          line.height() - 3);
        const bool isWrong =
            isWarned && (value.wrong.empty() ||
                         std::ranges::find(value.wrong, static_cast<int>(i)) != value.wrong.end());
        const QColor color = isWrong ? tokens.failed.fill : rankColor(rank, tokens);
        painter.setPen(QPen(color, value.isNew || isWrong ? 2 : 1));
        painter.setBrush(withAlpha(color, value.isNew ? 0.28 : 0.08));
        painter.drawRoundedRect(cell, 3, 3);
        painter.setPen(tokens.text);
        painter.drawText(cell, Qt::AlignCenter,
                         elided(painter, cells.texts.at(i), cell.width() - 2));
    }
    return top - line.top() + line.height() + 2;
}

} // namespace ringmaster::app
