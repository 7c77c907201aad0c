#pragma once

#include "app/model/RunModel.h"

#include <QObject>

#include <optional>
#include <vector>

namespace ringmaster::app {

/// The span of time that all drawings of a run show. All of the run, and then it grows with it,
/// until the user selects, zooms or moves.
class TimeSpan : public QObject
{
    Q_OBJECT

public:
    struct Range
    {
        std::int64_t from = 0; ///< Monotonic ns.
        std::int64_t to = 1;

        std::int64_t length() const { return to - from; }
        bool operator==(const Range&) const = default;
    };

    static constexpr std::int64_t Shortest = 1'000'000;

    explicit TimeSpan(const RunModel& run, QObject* parent = nullptr);

    /// Kept within the run.
    void show(Range range);
    void zoom(double factor, double atFraction = 0.5);
    /// By a part of what is shown.
    void pan(double fraction);
    void showAll();
    /// Time has gone on: says so where that can be seen. A minute is nothing in a day.
    void grow();
    /// To the range before; zooming and moving in small steps is one. False: there is none.
    bool goBack();

    Range shown() const;
    bool showsAll() const { return m_showsAll; }
    std::int64_t begin() const { return m_run.history().begin().monotonicNs; }
    /// Until now, while the run goes on.
    std::int64_t end() const;

Q_SIGNALS:
    void changed();
    void showsAllChanged(bool showsAll);

private:
    void keep(bool isAdjustment);
    void set(Range range);
    void setShowsAll(bool showsAll);

    const RunModel& m_run;
    bool m_showsAll = true;
    Range m_range;
    std::vector<std::optional<Range>> m_before; ///< Nothing: all.
    bool m_isAdjusting = false;
    std::int64_t m_grownTo = 0; ///< The length that was told.
};

} // namespace ringmaster::app
