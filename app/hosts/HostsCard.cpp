#include "app/hosts/HostsCard.h"

#include "app/widget/SparkLine.h"
#include "app/widget/TableColumns.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QListView>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>

namespace ringmaster::app {

HostsCard::HostsCard(HostListModel& hosts, QWidget* parent)
    : TwinCard(parent)
    , m_hosts(hosts)
    , m_tiles(new QListView(this))
    , m_delegate(new HostTileDelegate(hosts, m_tiles))
    , m_check(new QPushButton(this))
    , m_edit(new QPushButton(this))
    , m_watch(new QPushButton(this))
    , m_remove(new QPushButton(this))
{
    buildTable();
    buildTiles();
    setView(m_tiles);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_check);
    buttons->addWidget(m_edit);
    buttons->addWidget(m_watch);
    m_watch->setCheckable(true);
    m_watch->hide();
    buttons->addStretch(1);
    buttons->addWidget(m_remove);
    content()->addLayout(buttons);
    connect(m_check, &QPushButton::clicked, this, &HostsCard::checkRequested);
    connect(m_edit, &QPushButton::clicked, this, &HostsCard::editRequested);
    connect(m_remove, &QPushButton::clicked, this, &HostsCard::removeRequested);
    connect(m_watch, &QPushButton::clicked, this, &HostsCard::watchRequested);
    for (QAbstractItemView* view :
         {static_cast<QAbstractItemView*>(m_tiles), static_cast<QAbstractItemView*>(table())})
        connect(view, &QAbstractItemView::activated, this, &HostsCard::editRequested);
    connect(table()->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &HostsCard::selectionChanged);
    translated(this, [this] { setTexts(); });
}

void HostsCard::buildTable()
{
    table()->setModel(&m_hosts);
    table()->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table()->verticalHeader()->setDefaultSectionSize(30);
    using Column = HostListModel::Column;
    new TableColumns(*table(), QStringLiteral("hosts"),
                     {.widths = {130, 130, 76, 100, 60, 100, 190, 230, 90, 80, 96, 140},
                      .givingWay = {Column::Clock, Column::Nccl, Column::Cores, Column::Groups,
                                    Column::Agent, Column::Memory, Column::Torch}});
    table()->setItemDelegateForColumn(HostListModel::State, new HostStateDelegate(table()));
    // The others have no room for a line beside their text.
    table()->setItemDelegateForColumn(
        HostListModel::Load,
        new SparkLineDelegate(HostListModel::SparkRole, 1.0F, QStringLiteral("0000 %"), table()));
}

void HostsCard::buildTiles()
{
    constexpr int Gap = 8;
    setLook(m_tiles, "framed");
    m_tiles->setModel(&m_hosts);
    m_tiles->setSelectionModel(table()->selectionModel());
    m_tiles->setItemDelegate(m_delegate);
    m_tiles->setViewMode(QListView::IconMode);
    m_tiles->setMovement(QListView::Static);
    m_tiles->setResizeMode(QListView::Adjust);
    m_tiles->setUniformItemSizes(true);
    m_tiles->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tiles->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_tiles->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_tiles->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_tiles->setSpacing(Gap / 2);
}

void HostsCard::setCanWatch()
{
    m_watch->show();
}

void HostsCard::setRoom(int width, int height)
{
    using Tile = HostTileDelegate::Tile;
    const bool isRoom = heightWith(Tile::Whole, width) <= height;
    m_tile = isRoom ? Tile::Whole : Tile::Low;
    m_delegate->setTile(m_tile);
}

Card::Height HostsCard::heightIn(int width) const
{
    const int around = heightAround({m_tiles, table()}, width);
    return {around + HostTileDelegate::heightOf(m_tile), heightWith(m_tile, width)};
}

int HostsCard::heightWith(HostTileDelegate::Tile tile, int width) const
{
    constexpr int MostRows = 20;
    constexpr int MostHeight = 900;
    const int frame = 2 * m_tiles->frameWidth();
    const int bar =
        style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, m_tiles->verticalScrollBar());
    const int view =
        showsTable() ? tableHeight(*table(), MostRows)
                     : HostTileDelegate::heightIn(widthInside(width) - frame - bar,
                                                  m_tiles->spacing(), m_hosts.rowCount(), tile) +
                           frame;
    return heightAround({m_tiles, table()}, width) + std::min(view, MostHeight);
}

std::vector<int> HostsCard::selectedRows() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : table()->selectionModel()->selectedRows())
        rows.push_back(index.row());
    return rows;
}

void HostsCard::refresh(bool isChecking)
{
    const std::vector<int> selected = selectedRows();
    const size_t count = selected.size();
    const auto isWatched = [this](int row) { return m_hosts.at(row).watch.has_value(); };
    const auto isHere = [this](int row) { return m_hosts.at(row).host.isHere(); };
    m_watch->setEnabled(count > 0 && std::ranges::none_of(selected, isHere));
    m_watch->setChecked(count > 0 && std::ranges::all_of(selected, isWatched));
    m_watch->setToolTip(
        std::ranges::any_of(selected, isHere)
            ? tr("The jobs of this machine are shown anyway.")
            : tr("Shows the jobs that run there among those of this machine, as long as the window "
                 "is open; ssh is all that it needs"));
    m_edit->setEnabled(count == 1);
    m_remove->setEnabled(count > 0);
    m_check->setEnabled(count > 0 && !isChecking);
    const auto ready = std::ranges::count_if(
        m_hosts.rows(), [](const HostRow& row) { return row.facts() != nullptr; });
    const int all = m_hosts.rowCount();
    setSubtitle(ready > 0 ? tr("%1 of %2 have answered").arg(ready).arg(all)
                          : tr("%n hosts, none asked yet", nullptr, all));
}

void HostsCard::setTexts()
{
    setTitle(tr("Hosts that jobs can run on"));
    setTwinTexts(tr("Hosts as tiles"), tr("Hosts as a table"), tr("Show the hosts as a table"));
    m_check->setText(tr("Check"));
    m_edit->setText(tr("Edit…"));
    m_watch->setText(tr("Show its jobs"));
    m_remove->setText(tr("Remove"));
}

} // namespace ringmaster::app
