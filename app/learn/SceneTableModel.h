#pragma once

#include "app/learn/LessonScene.h"

#include <QAbstractTableModel>

namespace ringmaster::app {

/// What LessonPicture draws, as rows: ranks, what they hold, what moves between them.
class SceneTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { What, Where, Line, State, Value, Bytes, ColumnCount };
    enum Role { RankRole = Qt::UserRole };

    explicit SceneTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void show(const LessonScene& scene);
    /// The row that is this rank's own; -1: none.
    int rowOf(int rank) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    struct Row
    {
        QString cells[ColumnCount]{};
        int rank = -1;
    };
    std::vector<Row> rowsOf(const LessonScene& scene) const;

    std::vector<Row> m_rows;
};

/// The steps of a recording, in their order; grows as it is recorded.
class StepTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Number, Rank, Line, What, Value, ColumnCount };
    enum Role { RankRole = Qt::UserRole };

    explicit StepTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Null: nothing. The same one again: what it has more by now.
    void show(const LessonRun* run);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    const LessonRun* m_run = nullptr;
    int m_rows = 0;
};

} // namespace ringmaster::app
