#pragma once

#include "app/model/ArrivalTableModel.h"
#include "app/model/Ceiling.h"
#include "app/model/OperationFeed.h"
#include "app/model/TimeSpan.h"
#include "app/widget/Card.h"
#include "engine/job/JobSpec.h"

#include <QThreadPool>

class QStackedLayout;
class QTableView;
class QToolButton;

namespace ringmaster::app {

class ArrivalLens;
class BandwidthView;
class EmptyState;
class GroupPicker;
class SpanBar;

/// What a run's collectives do: how fast they are, and how the ranks come to them, each as a
/// drawing or as its twin table. Where there is nothing to show, it says why.
class OperationsPanel : public Card
{
    Q_OBJECT

public:
    OperationsPanel(EngineBridge& bridge, const RunModel& run, TimeSpan& span,
                    AttemptChoice& attempts, QWidget* parent = nullptr);

    void selectRank(int globalRank);
    const OperationFeed& feed() const { return m_feed; }
    /// A second has gone by.
    void updateAge();
    /// Somebody else shows what the feed says.
    void setWatchedElsewhere(bool isWatched);
    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

Q_SIGNALS:
    void rankSelected(int globalRank);
    /// A sentence for the reader.
    void told(const QString& sentence);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    enum View { Bandwidth, BandwidthTable, Arrivals, ArrivalsTable };

    void buildHeader();
    void connectViews();
    void show(View view);
    View view() const;
    void update();
    void updateEmpty();
    void updateSpan(View view);
    void readCalibrations();
    void setTexts();
    const OperationSummary::GroupCollectives* shownGroup() const;

    const RunModel& m_run;
    TimeSpan& m_span;
    AttemptChoice& m_attempts;
    OperationFeed m_feed;
    ArrivalTableModel m_arrivals;
    SpanBar* m_spanBar;
    BandwidthView* m_bandwidth;
    ArrivalLens* m_lens;
    QTableView* m_arrivalTable;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    GroupPicker* m_groups;
    QToolButton* m_bandwidthButton;
    QToolButton* m_arrivalsButton;
    QToolButton* m_tableButton;
    bool m_isWatchedElsewhere = false;
    std::optional<JobSpec> m_job; ///< Once it is known.
    std::vector<Calibration> m_calibrations;
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app
