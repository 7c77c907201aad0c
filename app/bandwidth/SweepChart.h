#pragma once

#include "app/bandwidth/SweepTableModel.h"
#include "app/model/Ceiling.h"
#include "app/widget/Chart.h"

namespace ringmaster::app {

/// Bandwidth or latency against the message size, over logarithmic axes: a line a backend and
/// sweep, dashed what this machine can reach at best. Its twin is the table of SweepTableModel.
class SweepChart : public Chart
{
    Q_OBJECT

public:
    enum class View { Bandwidth, Latency };

    struct Line
    {
        QString name{};
        int look = 0;
    };

    explicit SweepChart(QWidget* parent = nullptr) : Chart(parent) {}

    void setView(View view);
    View view() const { return m_view; }
    /// `lines` by Row::series.
    void show(const std::vector<Line>& lines, const std::vector<SweepTableModel::Row>& rows,
              const std::vector<Ceiling>& ceilings);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showLines();
    void showAxes(double least, double most);
    double valueOf(const SweepRow& row) const;

    View m_view = View::Bandwidth;
    std::vector<Line> m_lines;
    std::vector<SweepTableModel::Row> m_rows;
    std::vector<Ceiling> m_ceilings;
    double m_smallest = 8;
    double m_largest = 1 << 20;
};

/// "8", "32K", "256M"
QString shortSize(double bytes);

} // namespace ringmaster::app
