#pragma once

#include "app/jobs/TileLayout.h"
#include "app/jobs/TilePainter.h"
#include "app/widget/ReadableRows.h"

#include <QAbstractItemView>

namespace ringmaster::app {

/// The workers as tiles, beyond MaxTiles as a heat map: another view of the worker table, with its
/// selection. Workers of several hosts stand under or beside what tells of their host.
class WorkerTiles : public QAbstractItemView, public ReadableRows
{
    Q_OBJECT

public:
    static constexpr int MaxTiles = 256;

    explicit WorkerTiles(QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* model) override;
    QRect visualRect(const QModelIndex& index) const override;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
    QModelIndex indexAt(const QPoint& point) const override;
    bool isHeatMap() const;
    struct Height
    {
        int low = 0; ///< As long as all tiles can be low.
        int full = 0;
    };
    /// Of all tiles in this width.
    Height heightIn(int width) const;
    /// The first worker of each host that has a heading.
    QModelIndexList headings() const;
    /// How a host stands is something else now.
    void arrangeLater();
    Range readableRows() const override { return {0, rowCount()}; }

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void rowsInserted(const QModelIndex& parent, int start, int end) override;
    void dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                     const QList<int>& roles) override;
    void updateGeometries() override;

    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    int horizontalOffset() const override { return 0; }
    int verticalOffset() const override;
    bool isIndexHidden(const QModelIndex&) const override { return false; }
    void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags) override;
    QRegion visualRegionForSelection(const QItemSelection& selection) const override;

private:
    int rowCount() const;
    TileLayout layoutIn(int width, int height) const;
    QModelIndexList firstOfEachHost() const;
    QString toolTipAt(const QPoint& point) const;
    bool showsNotes() const;

    TileLayout m_layout; ///< By row, in contents coordinates.
    bool m_isArranged = false;
    TilePainter m_painter;
};

} // namespace ringmaster::app
