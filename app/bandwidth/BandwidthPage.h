#pragma once

#include "app/bandwidth/SweepListModel.h"
#include "app/bandwidth/SweepRun.h"
#include "app/model/Ceiling.h"
#include "app/widget/Page.h"
#include "engine/job/Sweep.h"

#include <QThreadPool>

class QLabel;
class QPushButton;
class QStackedLayout;

namespace ringmaster::app {

class Banner;
class Calibrator;
class ElidedLabel;
class EmptyState;
class SweepForm;
class SweepResults;

/// What the interconnect can do: sweeps are started by clicking, drawn while they run and compared.
/// A sweep is a run like any other.
class BandwidthPage : public Page
{
    Q_OBJECT

public:
    static PageDescription description();
    explicit BandwidthPage(EngineBridge& bridge, QWidget* parent = nullptr);
    ~BandwidthPage() override;

    QVariantMap saveState() const override;
    void restoreState(const QVariantMap& state) override;

    void openRun(const std::string& run) override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void connectControls();
    void lookAround();
    void listHosts();
    void check();
    void start(const SweepRequest& request);
    void started(const Result<std::string>& run, bool isCalibration);
    void stop();
    void updateRuns();
    void updateResults();
    void updateHead();
    void updateButtons();
    void updateBanner();
    void setTexts();
    const SweepRun* latest() const;
    bool isMeasuring() const;
    void lookForLaunched();
    std::vector<Ceiling> ceilings() const;

    EngineBridge& m_bridge;
    SweepListModel m_sweeps;
    std::vector<SweepRun*> m_runs; ///< Shown; children.
    std::optional<SweepFacts> m_facts;
    std::vector<Finding> m_findings; ///< Of what the form says.
    bool m_canCalibrate = false;     ///< So far as the form goes.
    std::optional<Error> m_refusal;  ///< Of the last start.
    bool m_isLaunching = false;
    std::string m_launched; ///< Until that run is over, or isn't in the list after a while.
    Calibrator* m_calibrator;
    QLabel* m_title;
    ElidedLabel* m_subtitle;
    SweepForm* m_form;
    Banner* m_banner;
    SweepResults* m_results;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    QPushButton* m_export;
    QPushButton* m_calibrate;
    QPushButton* m_job;
    QPushButton* m_run;
    QPushButton* m_stop;
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app
