#pragma once

#include "app/learn/LessonScene.h"
#include "app/model/RowsModel.h"

#include <array>

namespace ringmaster::app {

/// A rank, something that it holds, or something that moves; `rank` is -1 where several take part.
struct SceneRow
{
    static constexpr int CellCount = 6;

    std::array<QString, CellCount> cells{};
    int rank = -1;

    bool operator==(const SceneRow&) const = default;
};

/// What LessonPicture draws, as rows: ranks, what they hold, what moves between them.
class SceneTableModel : public RowsModel<SceneRow>
{
    Q_OBJECT

public:
    enum Column { What, Where, Line, State, Value, Bytes };
    enum Role { RankRole = FirstOwnRole };

    explicit SceneTableModel(QObject* parent = nullptr);

    void show(const LessonScene& scene) { setRows(rowsOf(scene)); }
    /// The row that is this rank's own; -1: none.
    int rowOf(int rank) const;

protected:
    QVariant rowData(const SceneRow& row, const QModelIndex& index, int role) const override;

private:
    static std::vector<SceneRow> rowsOf(const LessonScene& scene);
};

/// The steps of a recording, in their order; grows as it is recorded.
class StepTableModel : public TableModel<LessonStep>
{
    Q_OBJECT

public:
    enum Column { Number, Time, Held, Rank, Line, What, Value };
    enum Role { RankRole = FirstOwnRole };

    explicit StepTableModel(QObject* parent = nullptr);

    /// Null: nothing. The same one again: what it has more by now.
    void show(const LessonRun* run);

    int rowCount(const QModelIndex& parent = {}) const override;

protected:
    const LessonStep* rowAt(int row) const override;
    QVariant rowData(const LessonStep& step, const QModelIndex& index, int role) const override;

private:
    const LessonRun* m_run = nullptr;
    int m_rows = 0;
};

} // namespace ringmaster::app
