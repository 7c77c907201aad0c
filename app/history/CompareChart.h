#pragma once

#include "app/widget/PlotView.h"
#include "engine/control/RunComparison.h"

namespace ringmaster::app {

/// One quantity of several runs over the time since each was launched: a line a run.
class CompareChart : public PlotView
{
    Q_OBJECT

public:
    /// Steps: how fast the counter goes that the runs print.
    enum class Shows { Number, Steps, Bandwidth };

    explicit CompareChart(const QString& fileName, QWidget* parent = nullptr);

    void show(const std::vector<ComparedRun>& runs, Shows what, const std::string& number = {});

    /// The numbers that have lines, losses first; without counters.
    static std::vector<std::string> numbersOf(const std::vector<ComparedRun>& runs);
    /// Which of the numbers counts steps; empty: none has lines.
    static std::string counterOf(const ComparedRun& run);

private:
    void showAxes(Shows what);
    QByteArray csv() const;
};

/// How fast a counter goes, from its points; an attempt that begins anew breaks the line.
std::vector<QPointF> ratesOf(const std::vector<QPointF>& counter);

} // namespace ringmaster::app
