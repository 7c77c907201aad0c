#pragma once

#include "app/hosts/HostListModel.h"
#include "app/hosts/HostTileDelegate.h"
#include "app/widget/TwinCard.h"

class QListView;
class QPushButton;

namespace ringmaster::app {

/// The hosts of the book as tiles and as a table, with one selection, and what can be done with
/// those that are chosen.
class HostsCard : public TwinCard
{
    Q_OBJECT

public:
    explicit HostsCard(HostListModel& hosts, QWidget* parent = nullptr);

    /// Rows of the model.
    std::vector<int> selectedRows() const;
    void refresh(bool isChecking);
    /// Jobs that run on a host can be shown here.
    void setCanWatch();
    /// Tiles are low where whole ones need more height than that.
    void setRoom(int width, int height);
    Height heightIn(int width) const override;

Q_SIGNALS:
    void selectionChanged();
    void checkRequested();
    void editRequested();
    void removeRequested();
    void watchRequested(bool isWatched);

private:
    void buildTable();
    void buildTiles();
    void setTexts();
    int heightWith(HostTileDelegate::Tile tile, int width) const;

    HostListModel& m_hosts;
    QListView* m_tiles;
    HostTileDelegate* m_delegate;
    HostTileDelegate::Tile m_tile = HostTileDelegate::Tile::Whole;
    QPushButton* m_check;
    QPushButton* m_edit;
    QPushButton* m_watch;
    QPushButton* m_remove;
};

} // namespace ringmaster::app
