#pragma once

#include "app/jobs/TileLayout.h"
#include "app/widget/StateLook.h"

#include <QCoreApplication>
#include <QFont>
#include <QModelIndex>
#include <QPixmap>

#include <vector>

class QPainter;
class QRegion;

namespace ringmaster::app {

/// Draws a worker as a tile, or as a cell of the heat map. Cells are drawn once for each health and
/// kept: whoever has this says when they look different.
class TilePainter
{
    Q_DECLARE_TR_FUNCTIONS(TilePainter)

public:
    /// Of a tile.
    struct Parts
    {
        QRect inner{};
        QRect note{};
        QRect load{};
    };
    struct Style
    {
        QFont font{}; ///< That the sizes are of.
        TileLayout::Tile tile = TileLayout::Tile::Whole;
        bool isSelected = false;
    };

    static Parts partsOf(const QRect& tile);

    /// What isn't in `wanted` may be left out.
    static void paintTile(QPainter& painter, const QModelIndex& worker, const QRect& rect,
                          const Style& style, const QRegion& wanted);
    void paintCell(QPainter& painter, const QModelIndex& worker, const QRect& rect,
                   bool isSelected);
    /// The theme or the style is another one.
    void forgetCells() { m_cells.clear(); }

private:
    static void paintHead(QPainter& painter, const QModelIndex& worker, const QRect& inner,
                          const Style& style, const StateLook& look);
    static void paintLoad(QPainter& painter, const QModelIndex& worker, const QRect& area,
                          const QFont& font);
    const QPixmap& cell(int health, qreal pixelRatio);

    std::vector<QPixmap> m_cells; ///< By health; empty: not drawn yet.
};

} // namespace ringmaster::app
