#pragma once

#include "app/hosts/HostRows.h"

#include <QStyledItemDelegate>

namespace ringmaster::app {

class HostListModel;

/// Draws a host as a tile: its state as colour, shape and word, what it has, and its last samples;
/// where it can't be used, why and what to do.
class HostTileDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    enum class Tile {
        Whole,
        Low, ///< What it has in one line, without its samples.
    };

    HostTileDelegate(const HostListModel& hosts, QObject* parent);

    void setTile(Tile tile);
    static int heightOf(Tile tile);
    /// Of the tiles in a view of that width.
    static int heightIn(int width, int gap, int tiles, Tile tile);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    static int leastWidthOf(Tile tile);
    void paintHead(QPainter& painter, const QRect& inner, const HostRow& row) const;
    void paintLine(QPainter& painter, const QRect& line, const HostRow& row) const;
    void paintFacts(QPainter& painter, const QRect& area, const HostRow& row) const;
    void paintQuantity(QPainter& painter, const QRect& line, const QString& text,
                       const std::vector<float>& samples) const;

    const HostListModel& m_hosts;
    Tile m_tile = Tile::Whole;
};

/// A host's state in a table's cell: shape, colour and word.
class HostStateDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace ringmaster::app
