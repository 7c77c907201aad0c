#include "app/hosts/HostTileDelegate.h"
#include "app/hosts/HostsPage.h"
#include "app/hosts/PreflightPanel.h"
#include "app/widget/Banner.h"
#include "app/widget/Card.h"
#include "app/widget/EmptyState.h"
#include "app/widget/SparkLine.h"
#include "app/widget/TableLook.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>

namespace ringmaster::app {

void HostsPage::buildHead()
{
    setLook(m_title, "title");
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(m_title);
    head->addStretch(1);
    for (QPushButton* button : {m_import, m_add, m_checkAll})
        head->addWidget(button);
    setLook(m_checkAll, "primary");
    m_checkAll->setObjectName(QStringLiteral("checkAll"));
    auto* page = static_cast<QVBoxLayout*>(layout());
    page->setContentsMargins(22, 16, 22, 18);
    page->setSpacing(12);
    page->addLayout(head);
    page->addWidget(m_banner);
    page->addWidget(m_cards, 1);
    page->addWidget(m_empty, 1);
    m_banner->hide();
}

void HostsPage::buildTable()
{
    dressTable(*m_table);
    m_table->setModel(&m_hosts);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->verticalHeader()->setDefaultSectionSize(30);
    const std::pair<int, int> widths[] = {
        {HostListModel::Name, 130},   {HostListModel::State, 130}, {HostListModel::Slots, 76},
        {HostListModel::Groups, 100}, {HostListModel::Cores, 60},  {HostListModel::Load, 100},
        {HostListModel::Memory, 190}, {HostListModel::Gpus, 230},  {HostListModel::Torch, 90},
        {HostListModel::Nccl, 80},    {HostListModel::Agent, 96},  {HostListModel::Clock, 140}};
    for (const auto& [column, width] : widths)
        m_table->setColumnWidth(column, width);
    m_table->setItemDelegateForColumn(HostListModel::State, new HostStateDelegate(m_table));
    // The others have no room for a line beside their text.
    m_table->setItemDelegateForColumn(
        HostListModel::Load, new SparkLineDelegate(HostListModel::SparkRole, 1.0F, m_table));
}

void HostsPage::buildTiles()
{
    constexpr int Gap = 8;
    setLook(m_tiles, "framed");
    m_tiles->setModel(&m_hosts);
    m_tiles->setSelectionModel(m_table->selectionModel());
    m_tiles->setItemDelegate(new HostTileDelegate(m_hosts, m_tiles));
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

void HostsPage::buildHosts()
{
    buildTable();
    buildTiles();
    m_stack->addWidget(m_tiles);
    m_stack->addWidget(m_table);
    setLook(m_tableButton, "flat");
    m_tableButton->setCheckable(true);
    m_card->addHeaderWidget(m_tableButton);
    m_card->content()->addLayout(m_stack, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_check);
    buttons->addWidget(m_edit);
    buttons->addStretch(1);
    buttons->addWidget(m_remove);
    m_card->content()->addLayout(buttons);
    m_cards->addWidget(m_card);
    m_cards->addWidget(m_preflight);
    m_cards->setSizes({430, 300});
    m_cards->setHandleWidth(12);
    m_cards->setChildrenCollapsible(false);
}

void HostsPage::setTexts()
{
    m_title->setText(title());
    m_import->setText(tr("Import from ~/.ssh/config…"));
    m_add->setText(tr("Add host…"));
    m_checkAll->setText(tr("Check all"));
    m_checkAll->setToolTip(tr("Asks every host what it has; the first time, Ringmaster's agent is "
                              "copied there"));
    m_card->setTitle(tr("Hosts that jobs can run on"));
    m_tableButton->setText(tr("Table"));
    m_tableButton->setToolTip(tr("Show the hosts as a table"));
    m_tiles->setAccessibleName(tr("Hosts as tiles"));
    m_table->setAccessibleName(tr("Hosts as a table"));
    m_check->setText(tr("Check"));
    m_edit->setText(tr("Edit…"));
    m_remove->setText(tr("Remove"));
    m_emptyImport->setText(tr("Import from ~/.ssh/config…"));
    m_emptyAdd->setText(tr("Add host…"));
    m_empty->setTexts(
        tr("No hosts yet"),
        tr("Jobs can run on other machines that you reach with ssh, without a password. Nothing "
           "needs to be installed there but Python and torch: Ringmaster copies its agent when it "
           "is needed."));
    update();
}

} // namespace ringmaster::app
