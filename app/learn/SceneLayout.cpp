#include "app/learn/SceneLayout.h"

#include "app/bridge/Words.h"

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

constexpr double PaddingX = 9;
constexpr double PaddingTop = 5;
constexpr double PaddingBottom = 6;
constexpr double LeastWidth = 165;
constexpr double MostWidth = 380;
constexpr double GapX = 14;
constexpr double GapY = 26;

/// Its name, the glyph of its state, and the word.
double headWidth(const LessonScene::Rank& rank, const SceneType& type)
{
    constexpr double Glyph = 24; // with what is around it
    return QFontMetricsF(type.rankFont()).horizontalAdvance(rankText(rank.rank)) +
           Glyph * type.scale() + QFontMetricsF(type.textFont()).horizontalAdvance(rank.state);
}

/// Nothing more goes to and fro: the room between the boxes is theirs.
bool isEnding(const LessonScene& scene)
{
    const auto isLeaving = [](const LessonScene::Rank& rank) {
        return rank.standing == LessonScene::Standing::Finished ||
               rank.detail.startsWith(QStringLiteral("destroy_process_group"));
    };
    return scene.links.empty() && scene.collectives.empty() &&
           std::ranges::any_of(scene.ranks, isLeaving);
}

} // namespace

/// Rows of places around the middle: the first and the last hold several boxes, those between two.
struct SceneLayout::Slots
{
    int rows = 1;
    int top = 1;
    int bottom = 0;
    QSizeF size{}; ///< That a box may take.
    /// How much of what a box wants it would get.
    double share(const QSizeF& wanted) const
    {
        return std::min(1.0, size.width() / wanted.width()) *
               std::min(1.0, size.height() / wanted.height());
    }
};

SceneLayout::SceneLayout(const LessonScene& scene, const QRectF& area, const Setting& setting)
    : m_scene(scene), m_area(area.adjusted(6, 6, -6, -6)), m_type(setting.scale)
{
    if (scene.ranks.empty())
        return;
    const QRectF surface = m_area;
    setType(m_type, surface);
    m_wanted = wantedSize(SceneType(1), MostWidth).expandedTo(setting.atLeast);
    const QSizeF wanted = m_wanted * setting.scale;
    Slots slots = bestSlots();
    const double room =
        std::min(slots.size.width() / wanted.width(), slots.size.height() / wanted.height());
    if (const double growth = std::clamp(room * 0.9, 1.0, setting.mostGrowth); growth > 1.05) {
        setType(SceneType(setting.scale * growth), surface);
        slots = bestSlots();
    }
    place(slots);
    fill(setting);
}

void SceneLayout::setType(const SceneType& type, const QRectF& surface)
{
    m_type = type;
    m_legend = GroupLegend(m_scene, surface, type);
    m_area = surface.adjusted(0, 0, 0, -m_legend.height());
}

QSizeF SceneLayout::wantedSize(const SceneType& type, double width) const
{
    QSizeF size(LeastWidth * type.scale(), 0);
    const double frame = 2 * PaddingX * type.scale();
    const QFontMetricsF metrics(type.textFont());
    for (const LessonScene::Rank& rank : m_scene.ranks) {
        const double wanted =
            std::max({ValueLines::wantedWidth(rank.values, type), headWidth(rank, type),
                      metrics.horizontalAdvance(rank.detail) + 4});
        size.setWidth(
            std::clamp(wanted + frame, size.width(), std::max(size.width(), width * type.scale())));
    }
    size.setHeight(heightIn(size.width(), type));
    return size;
}

/// Of the box that needs the most: its head, a line for what the rank is in, and its values.
double SceneLayout::heightIn(double width, const SceneType& type) const
{
    double values = 0;
    for (const LessonScene::Rank& rank : m_scene.ranks)
        values = std::max(
            values, ValueLines(rank.values, width - 2 * PaddingX * type.scale(), type).height());
    return values + 2 * type.lineHeight() + (PaddingTop + PaddingBottom) * type.scale();
}

SceneLayout::Slots SceneLayout::slotsFor(int rows) const
{
    const int count = static_cast<int>(m_scene.ranks.size());
    const double scale = m_type.scale();
    Slots slots{.rows = rows};
    const int outer = count - 2 * std::max(0, rows - 2);
    slots.top = rows == 1 ? count : (outer + 1) / 2;
    slots.bottom = rows == 1 ? 0 : outer / 2;
    const int columns = std::max(slots.top, rows > 2 ? 2 : 1);
    // Beside each other there is a label between them, above each other there are several.
    const bool hasHub = !m_scene.collectives.empty();
    double gapX = (columns == 2 ? 96 : GapX) * scale;
    if (rows == 1 && columns == 2)
        gapX = std::min((hasHub ? 210 : 150) * scale, m_area.width() * 0.36);
    const bool hasLinks = !isEnding(m_scene);
    const double gapY = rows == 1               ? 0
                        : rows == 2 && hasLinks ? std::min(120 * scale, m_area.height() * 0.28)
                                                : GapY * scale;
    const double above = rows == 1 && hasLinks ? std::min(44 * scale, m_area.height() * 0.14) : 0;
    slots.size = {(m_area.width() - gapX * (columns - 1)) / columns,
                  (m_area.height() - gapY * (rows - 1) - 2 * above) / rows};
    if (count == 1)
        slots.size.setHeight(m_area.height());
    return slots;
}

/// Two stand side by side, more in as many rows as give each the most room.
SceneLayout::Slots SceneLayout::bestSlots() const
{
    const int count = static_cast<int>(m_scene.ranks.size());
    if (count <= 2)
        return slotsFor(1);
    const QSizeF wanted = m_wanted * m_type.scale();
    Slots best = slotsFor(2);
    for (int rows = 3; count - 2 * (rows - 2) >= 2; ++rows) {
        const Slots slots = slotsFor(rows);
        if (slots.share(wanted) > best.share(wanted) + 0.1)
            best = slots;
    }
    return best;
}

/// Clockwise, from the left of the top row.
void SceneLayout::place(const Slots& slots)
{
    const double width = std::min(m_wanted.width() * m_type.scale(), slots.size.width());
    // What gets less width than it wants has more lines.
    m_wanted.setHeight(std::max(m_wanted.height(), heightIn(width, m_type) / m_type.scale()));
    m_box = {width, std::min(m_wanted.height() * m_type.scale(), slots.size.height())};
    const auto add = [&](double x, double y, const QPointF& inwards) {
        QRectF place(QPointF(), m_box);
        place.moveCenter({x, y});
        m_boxes.push_back({.place = place});
        m_inwards.push_back(inwards);
    };
    const double left = m_area.left() + m_box.width() / 2;
    const double right = m_area.right() - m_box.width() / 2;
    const double top = m_area.top() + m_box.height() / 2;
    const double bottom = m_area.bottom() - m_box.height() / 2;
    const auto along = [&](int index, int count) {
        return count == 1 ? m_area.center().x() : left + (right - left) * index / (count - 1);
    };
    const int side = slots.rows - 2;
    if (slots.rows == 1) {
        // Not at the edges of a wide surface.
        const double apart = std::min((right - left) / 2, m_box.width() / 2 + 150 * scale());
        for (int i = 0; i < slots.top; ++i)
            add(slots.top == 1 ? m_area.center().x()
                               : m_area.center().x() + (i == 0 ? -apart : apart),
                m_area.center().y(), i == 0 ? QPointF(1, 0) : QPointF(-1, 0));
        m_middle = m_area;
        if (slots.top == 2)
            m_middle = {QPointF(m_boxes[0].place.right(), m_area.top()),
                        QPointF(m_boxes[1].place.left(), m_area.bottom())};
        return;
    }
    const auto down = [&](int index) { return top + (bottom - top) * index / (side + 1); };
    for (int i = 0; i < slots.top; ++i)
        add(along(i, slots.top), top, {0, 1});
    for (int i = 0; i < side; ++i)
        add(right, down(i + 1), {-1, 0});
    for (int i = slots.bottom; i-- > 0;)
        add(along(i, slots.bottom), bottom, {0, -1});
    for (int i = side; i-- > 0;)
        add(left, down(i + 1), {1, 0});
    m_middle = m_area.adjusted(side > 0 ? m_box.width() : 0, m_box.height(),
                               side > 0 ? -m_box.width() : 0, -m_box.height());
}

void SceneLayout::fill(const Setting& setting)
{
    const double scale = m_type.scale();
    for (const LessonScene::Rank& rank : m_scene.ranks) {
        Box& box = m_boxes[*placeOf(rank.rank)];
        const QRectF inner = box.place.adjusted(PaddingX * scale, PaddingTop * scale,
                                                -PaddingX * scale, -PaddingBottom * scale);
        box.head = {inner.left(), inner.top(), inner.width(), m_type.lineHeight()};
        box.values = inner.adjusted(0, m_type.lineHeight(), 0, 0);
        if (!rank.detail.isEmpty()) {
            box.detail = box.head.translated(0, m_type.lineHeight());
            box.values.setTop(box.detail.bottom());
        }
        const auto fits =
            static_cast<size_t>(std::max(0.0, box.values.height() / m_type.cellHeight() + 0.01));
        box.lines = ValueLines(rank.values, inner.width(), m_type).lines();
        if (fits < box.lines.size())
            box.lines = ValueLines(rank.values, inner.width(), m_type, ValueLines::Order::NewsFirst)
                            .lines();
        box.count = std::min(fits, box.lines.size());
        const auto scrolled = setting.scrolled.find(rank.rank);
        if (scrolled != setting.scrolled.end())
            box.first = std::min(static_cast<size_t>(std::max(0, scrolled->second)),
                                 box.lines.size() - box.count);
        // A name alone says nothing: its values are below.
        if (box.linesBelow() > 0 && box.count > 1 &&
            box.lines[box.first + box.count - 1].cells.empty())
            --box.count;
    }
}

std::optional<size_t> SceneLayout::placeOf(int rank) const
{
    const auto found = std::ranges::find(m_scene.ranks, rank, &LessonScene::Rank::rank);
    const auto place = static_cast<size_t>(found - m_scene.ranks.begin());
    return place < m_boxes.size() ? std::optional(place) : std::nullopt;
}

const SceneLayout::Box* SceneLayout::find(int rank) const
{
    const auto place = placeOf(rank);
    return place ? &m_boxes[*place] : nullptr;
}

QRectF SceneLayout::boxOf(int rank) const
{
    const Box* box = find(rank);
    return box == nullptr ? QRectF() : box->place;
}

QPointF SceneLayout::inwards(int rank) const
{
    const auto place = placeOf(rank);
    return place ? m_inwards[*place] : QPointF();
}

QRectF SceneLayout::lineOf(const Box& box, size_t line) const
{
    return {box.values.left(),
            box.values.top() + static_cast<double>(line - box.first) * m_type.cellHeight(),
            box.values.width(), m_type.cellHeight()};
}

QRectF SceneLayout::cellOf(int rank, const QString& value, int element) const
{
    const auto place = placeOf(rank);
    if (!place)
        return {};
    const Box* box = &m_boxes[*place];
    const auto& values = m_scene.ranks[*place].values;
    QRectF found;
    for (size_t line = box->first; line < box->first + box->count; ++line) {
        for (const ValueLines::Cell& cell : box->lines[line].cells) {
            if (values[cell.value].name == value && (element < 0 || cell.element == element))
                found |= cell.place.translated(lineOf(*box, line).topLeft());
        }
    }
    return found.isEmpty() ? box->head : found;
}

int SceneLayout::rankAt(const QPointF& point) const
{
    for (size_t place = 0; place < m_boxes.size() && place < m_scene.ranks.size(); ++place) {
        if (m_boxes[place].place.contains(point))
            return m_scene.ranks[place].rank;
    }
    return -1;
}

} // namespace ringmaster::app
