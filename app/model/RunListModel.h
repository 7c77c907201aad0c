#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/RowsModel.h"
#include "app/model/RunProgress.h"

#include <QSortFilterProxyModel>

namespace ringmaster::app {

/// What is told first of a run: why it ended, else what it is in, else the reason of its state.
/// code::None: nothing.
const Message& firstToldOf(const RunSummary& run);

/// The runs of this machine, newest first; a row keeps its identity while others come and go.
class RunListModel : public RowsModel<RunSummary>
{
    Q_OBJECT

public:
    enum Column { Name, State, Ranks, Restarts, Started, Duration, Reason };
    enum DataRole {
        IdRole = FirstOwnRole, ///< QString
        HealthRole,            ///< Health as int
        WordRole,              ///< of the health
        LiveRole,              ///< bool
        LineRole,              ///< "8 ranks · 3:42 · 12 %"
        ProgressRole,          ///< double, 0 to 1; invalid: it isn't known
    };

    /// `progress`: of the runs that go on.
    explicit RunListModel(const EngineBridge& bridge, const RunProgress* progress = nullptr,
                          QObject* parent = nullptr);

    QModelIndex indexOf(const QString& run) const;
    int liveCount() const;
    /// Announces that running times have moved on; called once a second by who shows them.
    void tick();

protected:
    QVariant rowData(const RunSummary& run, const QModelIndex& index, int role) const override;

private:
    /// Nothing: it isn't known.
    std::optional<double> progressOf(const RunSummary& run) const;
    QString lineOf(const RunSummary& run) const;

    const RunProgress* m_progress;
};

/// Only runs that are live, or only others.
class RunFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    enum class Show { Live, Finished, All };

    explicit RunFilter(Show show, QObject* parent = nullptr);
    void setText(const QString& text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    Show m_show;
    QString m_text;
};

} // namespace ringmaster::app
