#pragma once

#include "engine/lesson/Recording.h"

#include <QAbstractTableModel>

namespace ringmaster::app {

/// A collective of the ring backend step by step: a row a step of the algorithm, a column a rank,
/// and in it the chunk that came there and what it made of it. What comes later is still empty.
class RingStepModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum DataRole { StepRole = Qt::UserRole }; ///< Of the recording; -1: nothing came yet.

    explicit RingStepModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// The operation of `position`, or else the latest before it; null: none.
    void show(const lesson::Recording* recording, size_t position);
    /// "all_reduce #1"; empty: there is none.
    QString title() const { return m_title; }
    /// Of the step that is shown; invalid: it is no chunk.
    QModelIndex current() const { return m_current; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Cell
    {
        QString text{};
        int step = -1;
        bool isNew = false;
        bool isTainted = false;
        bool operator==(const Cell&) const = default;
    };
    using Row = std::vector<Cell>;

    QString m_title;
    std::vector<Row> m_rows;
    int m_ranks = 0;
    QModelIndex m_current;
};

} // namespace ringmaster::app
