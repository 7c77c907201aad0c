#pragma once

#include "app/learn/GroupLegend.h"
#include "app/learn/ValueLines.h"

#include <map>
#include <optional>

namespace ringmaster::app {

/// Where the ranks of a scene are on a surface, what of their values is in sight, and how large its
/// type is. The boxes stand around the middle, in the order of the ranks, all of one size.
class SceneLayout
{
public:
    struct Setting
    {
        double scale = 1;      ///< Of the type.
        double mostGrowth = 1; ///< How much larger it may become where there is room.
        QSizeF atLeast{};      ///< Of a box, at scale 1: boxes don't shrink while a run goes on.
        std::map<int, int> scrolled{}; ///< Lines above those in sight, by rank.
    };
    struct Box
    {
        QRectF place{};
        QRectF head{};
        QRectF detail{}; ///< Empty: there is none.
        QRectF values{};
        std::vector<ValueLines::Line> lines{};
        size_t first = 0; ///< Line in sight.
        size_t count = 0; ///< Lines in sight.
        size_t linesBelow() const { return lines.size() - first - count; }
        bool isWhole() const { return count == lines.size(); }
    };

    SceneLayout(const LessonScene& scene, const QRectF& area, const Setting& setting);

    /// Of the boxes and what is between them.
    const QRectF& area() const { return m_area; }
    /// Below it.
    const GroupLegend& legend() const { return m_legend; }
    const SceneType& type() const { return m_type; }
    double scale() const { return m_type.scale(); }
    /// Of each rank.
    QSizeF boxSize() const { return m_box; }
    /// What a box would take with all in sight, at scale 1.
    QSizeF wantedSize() const { return m_wanted; }
    const std::vector<Box>& boxes() const { return m_boxes; }
    const Box* find(int rank) const;
    /// Empty: there is no such rank.
    QRectF boxOf(int rank) const;
    /// Which way is inwards from the rank's box.
    QPointF inwards(int rank) const;
    /// Of a value, or one of its elements; where that isn't in sight: the box's.
    QRectF cellOf(int rank, const QString& value, int element = -1) const;
    /// The line's place on the surface.
    QRectF lineOf(const Box& box, size_t line) const;
    /// -1: none.
    int rankAt(const QPointF& point) const;
    /// Between the boxes: where what concerns several ranks has its place.
    QRectF middle() const { return m_middle; }

private:
    struct Slots;
    /// Among the boxes; nothing: the rank isn't shown.
    std::optional<size_t> placeOf(int rank) const;
    QSizeF wantedSize(const SceneType& type, double width) const;
    double heightIn(double width, const SceneType& type) const;
    Slots slotsFor(int rows) const;
    Slots bestSlots() const;
    void setType(const SceneType& type, const QRectF& surface);
    void place(const Slots& slots);
    void fill(const Setting& setting);

    const LessonScene& m_scene;
    QRectF m_area;
    SceneType m_type;
    GroupLegend m_legend;
    QSizeF m_wanted;
    QSizeF m_box;
    QRectF m_middle;
    std::vector<Box> m_boxes;
    std::vector<QPointF> m_inwards;
};

} // namespace ringmaster::app
