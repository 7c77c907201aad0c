#include "app/learn/ScenePainter.h"

#include "app/bridge/Words.h"
#include "app/learn/SceneLinkPainter.h"
#include "app/widget/Theme.h"

#include <QPainter>

#include <algorithm>

namespace ringmaster::app {

namespace {

QString elided(const QPainter& painter, const QString& text, double width)
{
    return painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(width));
}

} // namespace

ScenePainter::ScenePainter(const LessonScene& scene, const QRectF& area,
                           const SceneLayout::Setting& setting)
    : m_scene(scene)
    , m_layout(scene, area, setting)
    , m_links(scene, m_layout)
    , m_labels(scene, m_layout, m_links)
    , m_travels(scene, m_layout, m_links)
{
}

void ScenePainter::paint(QPainter& painter, int selectedRank, const SceneProgress& progress) const
{
    const SceneLinkPainter links(m_scene, m_layout, m_links);
    links.paintGroups(painter);
    for (size_t i = 0; i < m_scene.collectives.size(); ++i)
        links.paintWays(painter, i);
    for (size_t i = 0; i < m_scene.links.size(); ++i)
        links.paintLink(painter, i, !progress.isOver() && m_travels.moves(i));
    for (size_t i = 0; i < m_scene.collectives.size(); ++i)
        links.paintHub(painter, i);
    for (const LessonScene::Rank& rank : m_scene.ranks)
        paintRank(painter, rank, rank.rank == selectedRank, progress);
    links.paintBadges(painter);
    for (const LabelLayout::Label& label : m_labels.all()) {
        // What moves says its value itself.
        const bool isMoving = !progress.isOver() && label.link >= 0 &&
                              m_travels.moves(static_cast<size_t>(label.link));
        if (!isMoving)
            links.paintLabel(painter, label);
    }
    if (!progress.isOver())
        m_travels.paint(painter, progress.done);
}

void ScenePainter::paintRank(QPainter& painter, const LessonScene::Rank& rank, bool isSelected,
                             const SceneProgress& progress) const
{
    const SceneLayout::Box* box = m_layout.find(rank.rank);
    if (box == nullptr)
        return;
    const Tokens& tokens = themeTokens();
    const StateLook look = lookOf(rank.standing, tokens);
    painter.setPen(QPen(look.color.fill, rank.isActor ? 2.6 : 1.4));
    painter.setBrush(isSelected ? tokens.selection : tokens.card);
    painter.drawRoundedRect(box->place, 8, 8);
    painter.save();
    painter.setClipRect(box->place.adjusted(2, 2, -2, -2));
    paintHead(painter, rank, box->head);
    if (!box->detail.isEmpty()) {
        painter.setFont(m_layout.type().textFont());
        painter.setPen(look.color.text);
        // Where there isn't room for all, the hub or the arrow has the operation.
        const bool isAll =
            painter.fontMetrics().horizontalAdvance(rank.detail) <= box->detail.width();
        const qsizetype wait = rank.detail.indexOf(QStringLiteral(": "));
        painter.drawText(box->detail, Qt::AlignVCenter,
                         elided(painter,
                                isAll || wait < 0 ? rank.detail : rank.detail.mid(wait + 2),
                                box->detail.width()));
    }
    for (size_t line = box->first; line < box->first + box->count; ++line)
        paintLine(painter, rank, box->lines[line], m_layout.lineOf(*box, line), progress);
    painter.restore();
    paintMore(painter, *box);
}

void ScenePainter::paintHead(QPainter& painter, const LessonScene::Rank& rank,
                             const QRectF& line) const
{
    const Tokens& tokens = themeTokens();
    const double scale = m_layout.scale();
    const StateLook look = lookOf(rank.standing, tokens);
    painter.setFont(m_layout.type().rankFont());
    painter.setPen(rankColor(rank.rank, tokens));
    const QString name = rankText(rank.rank);
    painter.drawText(line, Qt::AlignVCenter, name);
    double left = line.left() + painter.fontMetrics().horizontalAdvance(name) + 8 * scale;
    painter.setFont(m_layout.type().textFont());
    const double size = 10 * scale;
    paintGlyph(painter, {left, line.center().y() - size / 2, size, size}, look.shape,
               look.color.fill);
    left += size + 4 * scale;
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

void ScenePainter::paintLine(QPainter& painter, const LessonScene::Rank& rank,
                             const ValueLines::Line& line, const QRectF& place,
                             const SceneProgress& progress) const
{
    const Tokens& tokens = themeTokens();
    painter.setFont(m_layout.type().valueFont());
    if (!line.name.isEmpty()) {
        const bool isWarned = !rank.values[line.value].warning.isEmpty();
        painter.setPen(isWarned ? tokens.failed.text : tokens.mutedText);
        painter.drawText(QRectF(place.topLeft(), QSizeF(line.nameWidth, place.height())),
                         Qt::AlignVCenter, elided(painter, line.name, line.nameWidth));
    }
    for (const ValueLines::Cell& cell : line.cells)
        paintCell(painter, rank, cell, place.topLeft(), progress);
}

void ScenePainter::paintCell(QPainter& painter, const LessonScene::Rank& rank,
                             const ValueLines::Cell& cell, const QPointF& corner,
                             const SceneProgress& progress) const
{
    const Tokens& tokens = themeTokens();
    const LessonScene::Value& value = rank.values[cell.value];
    const QRectF place = cell.place.translated(corner);
    const QStringList* before = progress.elementsOf(rank.rank, value.name);
    const bool isNew = value.isNew && progress.isOver();
    const bool isWarned = !value.warning.isEmpty();
    const bool isWrong =
        isWarned &&
        (value.wrong.empty() || std::ranges::find(value.wrong, cell.element) != value.wrong.end());
    const QColor color = isWrong ? tokens.failed.fill : rankColor(rank.rank, tokens);
    if (cell.element < 0) {
        if (isNew) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(withAlpha(color, 0.2));
            painter.drawRoundedRect(place.adjusted(-2, 0, -6, 0), 3, 3);
        }
        painter.setPen(isWrong                     ? tokens.failed.text
                       : isNew || value.isAskedFor ? tokens.text
                                                   : tokens.mutedText);
        painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft, cell.text);
        return;
    }
    painter.setPen(QPen(color, isNew || isWrong ? 2 : 1));
    painter.setBrush(withAlpha(color, isNew ? 0.28 : 0.08));
    painter.drawRoundedRect(place, 3, 3);
    painter.setPen(tokens.text);
    const bool isOld = before != nullptr && cell.element < before->size();
    painter.drawText(place, Qt::AlignCenter,
                     elided(painter, isOld ? before->at(cell.element) : cell.text, place.width()));
}

/// How many lines are above and below those in sight; the wheel gets them.
void ScenePainter::paintMore(QPainter& painter, const SceneLayout::Box& box) const
{
    if (box.isWhole())
        return;
    const Tokens& tokens = themeTokens();
    painter.setFont(m_layout.type().plain(9.5));
    QStringList parts;
    if (box.first > 0)
        parts << QStringLiteral("▲%1").arg(box.first);
    if (box.linesBelow() > 0)
        parts << QStringLiteral("▼%1").arg(box.linesBelow());
    const QString text = parts.join(u' ');
    const QFontMetricsF metrics(painter.font());
    // On the edge, so that it hides no value; the badges of groups are on its right.
    QRectF place(0, 0, metrics.horizontalAdvance(text) + 12, metrics.height());
    place.moveBottomLeft(box.place.bottomLeft() + QPointF(8 * m_layout.scale(), 5));
    painter.setPen(QPen(tokens.border, 1));
    painter.setBrush(tokens.card);
    painter.drawRoundedRect(place, place.height() / 2, place.height() / 2);
    painter.setPen(tokens.mutedText);
    painter.drawText(place, Qt::AlignCenter, text);
}

} // namespace ringmaster::app
