#pragma once

#include "app/model/NumberFeed.h"
#include "app/model/TimeSpan.h"
#include "app/widget/PlotView.h"

namespace ringmaster::app {

/// Numbers that the ranks print over the span of time that all drawings of the run show: a colour a
/// rank, a pattern a name, a gap at each restart.
class NumberChart : public PlotView
{
    Q_OBJECT

public:
    static constexpr size_t MostRanks = 8; ///< The lowest, and the chosen one.

    NumberChart(const NumberFeed& feed, TimeSpan& span, QWidget* parent = nullptr);

    /// -1: none.
    void selectRank(int globalRank);
    /// Of the ranks that print: how many have a line, and how many there are.
    int drawnRanks() const { return static_cast<int>(m_drawn.size()); }
    int allRanks() const { return m_allRanks; }
    bool goBack() override { return m_span.goBack(); }

Q_SIGNALS:
    void rankChosen(int globalRank);

private:
    void showSummary();
    void showAxes();
    bool isDrawn(int rank) const;

    const NumberFeed& m_feed;
    TimeSpan& m_span;
    std::vector<int> m_ranks; ///< By series.
    std::vector<int> m_drawn; ///< Ranks, ascending.
    int m_allRanks = 0;
    int m_selectedRank = -1;
};

} // namespace ringmaster::app
