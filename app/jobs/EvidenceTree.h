#pragma once

#include "app/model/EvidenceModel.h"

#include <QTreeView>

namespace ringmaster::app {

/// Where ranks stood, equal stacks once: their own threads are open.
class EvidenceTree : public QTreeView
{
    Q_OBJECT

public:
    explicit EvidenceTree(QWidget* parent = nullptr);

    void setEvidence(const Evidence& evidence);
    /// All of it.
    QString text() const { return m_model.text(); }

private:
    void open(const QModelIndex& parent);

    EvidenceModel m_model;
};

} // namespace ringmaster::app
