#pragma once

#include "app/hosts/HostListModel.h"
#include "app/hosts/HostSampleModel.h"
#include "app/widget/TwinCard.h"

class QLabel;

namespace ringmaster::app {

class EmptyState;
class PlotView;

/// What was measured of the hosts while the page was looked at: how busy their processors are, how
/// much of their memory and of their GPUs' is in use. A line a host; all have one time axis.
class HostCharts : public TwinCard
{
    Q_OBJECT

public:
    explicit HostCharts(const HostListModel& hosts, QWidget* parent = nullptr);

    struct Chart
    {
        std::optional<double> HostSample::*quantity = nullptr;
        QLabel* title = nullptr;
        PlotView* plot = nullptr;
    };
    const std::vector<Chart>& charts() const { return m_charts; }

private:
    void update();
    void draw(const Chart& chart, double from, double to);
    QByteArray csv() const;
    void setTexts();

    const HostListModel& m_hosts;
    HostSampleModel m_samples;
    QWidget* m_drawings;
    std::vector<Chart> m_charts;
    EmptyState* m_empty;
};

} // namespace ringmaster::app
