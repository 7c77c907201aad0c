#pragma once

#include "app/model/Ceiling.h"
#include "app/model/OperationFeed.h"
#include "app/model/TimeSpan.h"
#include "app/widget/Chart.h"

namespace ringmaster::app {

/// The bus bandwidth of each kind of operation over the span of time that all drawings of the run
/// show. Its twin is the table of SeriesTableModel.
class BandwidthChart : public Chart
{
    Q_OBJECT

public:
    BandwidthChart(const OperationFeed& feed, TimeSpan& span, QWidget* parent = nullptr);

    /// Nothing: none.
    void setSelectedKind(std::optional<ledger::OperationKind> kind);
    /// What this machine can do at best, where that was measured.
    void setCeiling(const std::optional<Ceiling>& ceiling);

Q_SIGNALS:
    void kindChosen(std::optional<ringmaster::ledger::OperationKind> kind);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showSummary();
    void showAxes();

    const OperationFeed& m_feed;
    TimeSpan& m_span;
    std::vector<ledger::OperationKind> m_kinds; ///< By series.
    std::optional<ledger::OperationKind> m_selectedKind;
    std::optional<Ceiling> m_ceiling;
};

} // namespace ringmaster::app
