#pragma once

#include "engine/event/EvidenceFolds.h"

#include <QStandardItemModel>

namespace ringmaster::app {

/// Where ranks stood, as a tree: equal stacks once, below them the threads, below these the calls.
class EvidenceModel : public QStandardItemModel
{
    Q_OBJECT

public:
    enum Column { What, Where, ColumnCount };
    /// Of a fold: whether its rows are open at first.
    static constexpr int IsOpenRole = Qt::UserRole;
    /// Of a call's place: the whole path, where the cell has a part of it.
    static constexpr int WholeRole = Qt::UserRole + 1;

    explicit EvidenceModel(QObject* parent = nullptr);

    void show(const Evidence& evidence);
    /// All of it, for the clipboard.
    QString text() const;

private:
    void addFold(const EvidenceFold& fold);
    void addSystem(QStandardItem& fold, const RankEvidence& rank);
    void addThreads(QStandardItem& fold, const std::vector<ThreadStack>& threads,
                    const QString& reader, bool isOpen);
};

} // namespace ringmaster::app
