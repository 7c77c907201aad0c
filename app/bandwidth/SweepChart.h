#pragma once

#include "app/bandwidth/SweepTableModel.h"
#include "app/model/Ceiling.h"
#include "app/widget/PlotRange.h"
#include "app/widget/PlotView.h"

namespace ringmaster::app {

/// Bandwidth or latency against the message size, over logarithmic axes: a line a backend and
/// sweep, dashed what this machine can reach at best. Its twin is the table of SweepTableModel.
class SweepChart : public PlotView
{
    Q_OBJECT

public:
    enum class View { Bandwidth, Latency };

    struct Line
    {
        QString name{};
        SeriesLook look{};
    };

    explicit SweepChart(QWidget* parent = nullptr);

    void setView(View view);
    View view() const { return m_view; }
    /// `lines` by Row::series; `planned`: the sizes that are going to be measured, over which the
    /// axis goes from the beginning on.
    void show(const std::vector<Line>& lines, const std::vector<SweepTableModel::Row>& rows,
              const std::vector<Ceiling>& ceilings, const std::vector<std::int64_t>& planned = {});
    bool goBack() override { return m_range.goBack(); }

private:
    void showLines();
    void showAxes();
    double valueOf(const SweepRow& row) const;

    View m_view = View::Bandwidth;
    std::vector<Line> m_lines;
    std::vector<SweepTableModel::Row> m_rows;
    std::vector<Ceiling> m_ceilings;
    std::vector<std::int64_t> m_planned;
    PlotRange m_range;
    double m_smallest = 0; ///< Of what is shown; 0: nothing.
    double m_largest = 0;
    double m_least = 0;
    double m_most = 0;
};

/// "8", "32K", "256M"
QString shortSize(double bytes);

} // namespace ringmaster::app
