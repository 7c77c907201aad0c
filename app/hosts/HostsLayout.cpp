#include "app/hosts/HostTileDelegate.h"
#include "app/hosts/HostsPage.h"
#include "app/hosts/PreflightPanel.h"
#include "app/widget/Banner.h"
#include "app/widget/EmptyState.h"
#include "app/widget/SparkLine.h"
#include "app/widget/TableLook.h"
#include "app/widget/TwinCard.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>

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
    m_card->table()->setModel(&m_hosts);
    m_card->table()->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_card->table()->verticalHeader()->setDefaultSectionSize(30);
    setColumnWidths(*m_card->table(), {130, 130, 76, 100, 60, 100, 190, 230, 90, 80, 96, 140});
    m_card->table()->setItemDelegateForColumn(HostListModel::State,
                                              new HostStateDelegate(m_card->table()));
    // The others have no room for a line beside their text.
    m_card->table()->setItemDelegateForColumn(
        HostListModel::Load,
        new SparkLineDelegate(HostListModel::SparkRole, 1.0F, m_card->table()));
}

void HostsPage::buildTiles()
{
    constexpr int Gap = 8;
    setLook(m_tiles, "framed");
    m_tiles->setModel(&m_hosts);
    m_tiles->setSelectionModel(m_card->table()->selectionModel());
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
    m_card->setView(m_tiles);
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
    m_card->setTwinTexts(tr("Hosts as tiles"), tr("Hosts as a table"),
                         tr("Show the hosts as a table"));
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
