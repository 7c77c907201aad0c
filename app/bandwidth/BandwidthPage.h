#pragma once

#include "app/bandwidth/SweepChart.h"
#include "app/bandwidth/SweepListModel.h"
#include "app/bandwidth/SweepRun.h"
#include "app/widget/Page.h"
#include "engine/job/Sweep.h"

#include <QSortFilterProxyModel>
#include <QThreadPool>

class QLabel;
class QListView;
class QPushButton;
class QSplitter;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace ringmaster::app {

class Banner;
class Card;
class ElidedLabel;
class EmptyState;
class SweepForm;

/// What the interconnect can do: sweeps are started by clicking, drawn while they run and compared.
/// A sweep is a run like any other.
class BandwidthPage : public Page
{
    Q_OBJECT

public:
    static PageDescription description();
    explicit BandwidthPage(EngineBridge& bridge, QWidget* parent = nullptr);
    ~BandwidthPage() override;

    QString title() const override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap& state) override;

    bool shows(const std::string& run) const override;
    void openRun(const std::string& run) override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void buildHead();
    void buildResults();
    void buildTable();
    void connectControls();
    void lookAround();
    void readCeilings();
    void listHosts();
    void check();
    void start(const SweepRequest& request);
    void started(const Result<std::string>& run, bool isCalibration);
    void stop();
    std::vector<SweepRequest> calibrations() const;
    void calibrateNext();
    void followCalibration();
    void updateRuns();
    void updateResults();
    void updateHead();
    void updateCalibrate();
    void updateBanner();
    void chooseSeries(int series);
    void exportTable(const QString& suffix);
    void exportPicture();
    void save(const QString& suffix, const std::function<QByteArray()>& content);
    void setTexts();
    const SweepRun* latest() const;
    std::vector<Ceiling> ceilings() const;

    EngineBridge& m_bridge;
    SweepListModel m_sweeps;
    SweepTableModel m_rows;
    QSortFilterProxyModel m_sorted;
    std::vector<SweepRun*> m_runs; ///< Shown; children.
    std::optional<SweepFacts> m_facts;
    std::vector<Calibration> m_calibrations;
    std::string m_calibrating{};         ///< The run that will change the ceilings.
    std::vector<SweepRequest> m_pairs{}; ///< To be calibrated after it.
    std::vector<Finding> m_findings;     ///< Of what the form says.
    std::optional<Error> m_refusal;      ///< Of the last start.
    QLabel* m_title;
    ElidedLabel* m_subtitle;
    SweepForm* m_form;
    Banner* m_banner;
    Card* m_chartCard;
    Card* m_tableCard;
    Card* m_listCard;
    SweepChart* m_chart;
    QTableView* m_table;
    QListView* m_list;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    QSplitter* m_columns;
    QSplitter* m_lines;
    QToolButton* m_bandwidthButton;
    QToolButton* m_latencyButton;
    QPushButton* m_export;
    QPushButton* m_calibrate;
    QPushButton* m_job;
    QPushButton* m_run;
    QPushButton* m_stop;
    QAction* m_csv;
    QAction* m_json;
    QAction* m_picture;
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app
