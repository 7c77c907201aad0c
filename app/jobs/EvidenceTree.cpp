#include "app/jobs/EvidenceTree.h"

#include "app/widget/Card.h"

#include <QHeaderView>

namespace ringmaster::app {

EvidenceTree::EvidenceTree(QWidget* parent) : QTreeView(parent)
{
    setLook(this, "framed");
    setModel(&m_model);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setUniformRowHeights(true);
    setIndentation(16);
    setTextElideMode(Qt::ElideMiddle); // a path's end is its line
    header()->setStretchLastSection(true);
    header()->setSectionsMovable(false);
}

void EvidenceTree::setEvidence(const Evidence& evidence)
{
    constexpr int WhatWidth = 190;
    m_model.show(evidence);
    open({});
    setColumnWidth(EvidenceModel::What, WhatWidth);
}

void EvidenceTree::open(const QModelIndex& parent)
{
    for (int row = 0; row < m_model.rowCount(parent); ++row) {
        const QModelIndex index = m_model.index(row, 0, parent);
        setExpanded(index, index.data(EvidenceModel::IsOpenRole).toBool());
        open(index);
    }
}

} // namespace ringmaster::app
