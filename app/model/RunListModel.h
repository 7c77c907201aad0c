#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/RowsModel.h"
#include "app/model/RunOverview.h"
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
    enum Column {
        Name,
        State,
        Progress,
        StepRate,
        BusBandwidth,
        Cpu,
        Gpu,
        Ranks,
        Restarts,
        Started,
        Duration,
        Says, ///< Why it ended or what it is in, else what it has printed last.
    };
    enum DataRole {
        IdRole = FirstOwnRole, ///< QString
        HealthRole,            ///< Health as int
        WordRole,              ///< of the health
        LiveRole,              ///< bool
        LineRole,              ///< "8 ranks · 3:42 · 12 %"
        ProgressRole,          ///< double, 0 to 1; invalid: it isn't known
        PurposeRole,           ///< RunPurpose as int
        SamplesRole,           ///< std::vector<float>, of Cpu and Gpu
    };

    /// `progress`: of the runs that go on.
    explicit RunListModel(const EngineBridge& bridge, const RunProgress* progress = nullptr,
                          QObject* parent = nullptr);

    /// Fills the columns from Progress to Gpu, and what is printed; lives as long as the model.
    void setOverview(const RunOverview& overview);

    QModelIndex indexOf(const QString& run) const;
    int liveCount() const; ///< Of those of this machine.
    /// "3 running · 1 Hanging"; empty: none goes on.
    QString healthText() const;
    /// Announces that running times have moved on; called once a second by who shows them.
    void tick();

protected:
    QVariant rowData(const RunSummary& run, const QModelIndex& index, int role) const override;

private:
    /// Nothing: it isn't known.
    std::optional<double> progressOf(const RunSummary& run) const;
    QString lineOf(const RunSummary& run) const;
    QVariant figureOf(const RunSummary& run, int column, int role) const;
    std::optional<double> valueOf(const RunSummary& run, int column) const;
    QString progressTextOf(const RunSummary& run) const;
    QString saysOf(const RunSummary& run) const;

    const RunProgress* m_progress;
    const RunOverview* m_overview = nullptr;
};

/// Only runs that are live, or only others, by name and by what they are for. Those that go on come
/// first, whatever the rest is sorted by.
class RunFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    enum class Show { Live, Finished, All };

    explicit RunFilter(Show show, QObject* parent = nullptr);
    void setText(const QString& text);
    /// Empty: all.
    void setPurposes(std::set<RunPurpose> purposes);
    /// As many as there would be without a text.
    int countOfAll() const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    bool isWanted(const QModelIndex& index) const;

    Show m_show;
    std::set<RunPurpose> m_purposes;
    QString m_text;
};

} // namespace ringmaster::app
