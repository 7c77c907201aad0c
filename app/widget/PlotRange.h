#pragma once

#include "app/widget/RangeGestures.h"

#include <vector>

namespace ringmaster::app {

/// The part of a plot's horizontal axis that is shown, with the way back, for a plot that shares
/// its range with no other drawing. In fractions of the whole axis, which may grow meanwhile.
class PlotRange : public QObject, public ShownRange
{
    Q_OBJECT

public:
    struct Part
    {
        double from = 0;
        double to = 1;
        bool operator==(const Part&) const = default;
    };

    using QObject::QObject;

    const Part& shown() const { return m_shown; }
    bool showsAll() const { return m_shown == Part(); }

    void select(double from, double to) override;
    void zoom(double factor, double at) override;
    void pan(double by) override;
    void showAll() override;
    bool goBack() override;

Q_SIGNALS:
    void changed();

private:
    void keep(bool isAdjustment);
    void show(Part part);

    Part m_shown;
    std::vector<Part> m_before;
    bool m_isAdjusting = false; ///< Zooming and moving in small steps is one step back.
};

} // namespace ringmaster::app
