#pragma once

#include "app/model/Ceiling.h"
#include "app/model/OperationFeed.h"
#include "app/model/TimeSpan.h"
#include "app/widget/PlotView.h"

namespace ringmaster::app {

/// The bus bandwidth of each kind of operation, of the chosen attempt or of all, over the span of
/// time that all drawings of the run show. Its twin is the table of SeriesTableModel.
class BandwidthChart : public PlotView
{
    Q_OBJECT

public:
    BandwidthChart(const OperationFeed& feed, TimeSpan& span, const AttemptChoice& attempts,
                   QWidget* parent = nullptr);

    /// Nothing: none.
    void setSelectedKind(std::optional<ledger::OperationKind> kind);
    /// What this machine can do at best, where that was measured.
    void setCeiling(const std::optional<Ceiling>& ceiling);
    /// Of a job whose record doesn't say it.
    void setBackend(const std::string& backend);
    /// When the run was restarted; CLOCK_MONOTONIC of the agent.
    void setRestarts(const std::vector<double>& atNs);
    bool goBack() override { return m_span.goBack(); }

Q_SIGNALS:
    void kindChosen(std::optional<ringmaster::ledger::OperationKind> kind);

private:
    void showSummary();
    void showAxes();
    bool isAboveCeiling() const;
    SeriesLook lookOf(ledger::OperationKind kind) const;

    const OperationFeed& m_feed;
    TimeSpan& m_span;
    const AttemptChoice& m_attempts;
    std::vector<ledger::OperationKind> m_kinds; ///< By series.
    std::optional<ledger::OperationKind> m_selectedKind;
    std::optional<Ceiling> m_ceiling;
    std::string m_backend;
    std::vector<double> m_restarts;
    double m_top = 0; ///< Of the axis: it doesn't follow each ripple.
};

} // namespace ringmaster::app
