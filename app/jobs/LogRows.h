#pragma once

#include "app/jobs/LogRowLayout.h"

#include <map>
#include <memory>

class QAbstractItemView;

namespace ringmaster::app {

/// The rows of a log as they are set in a view: how high each is, and which stand where below a
/// first one. Keeps those that were asked for last: setting a line is most of what it costs to
/// paint one, and few are new.
class LogRows
{
public:
    explicit LogRows(const QAbstractItemView& view) : m_view(view) {}

    // Sets all of them anew.
    void setShowsTimes(bool shows);
    void setWraps(bool wraps);
    void setMarked(const LogFilter& marked);
    bool showsTimes() const { return m_showsTimes; }
    bool wraps() const { return m_wraps; }

    /// Stays until rows are forgotten, or another is asked for.
    const LogRowLayout& layoutOf(const QModelIndex& index) const;
    void forget() { m_layouts.clear(); }
    void forget(int first, int last);

    int count() const;
    /// Of one without a break.
    int lineHeight() const;
    int heightOf(int row) const;
    /// Of those from this one on, in this direction, that the view holds whole; at least one.
    int countIn(int from, int step) const;
    /// In pixels below the `first` one, at most a little more than the view is high.
    int topOf(int row, int first) const;
    /// At this height, where `first` is the uppermost; count(): below all.
    int rowAt(int y, int first) const;

private:
    const QAbstractItemView& m_view;
    bool m_showsTimes = true;
    bool m_wraps = false;
    LogFilter m_marked;
    mutable std::map<int, std::unique_ptr<LogRowLayout>> m_layouts; ///< By row.
};

} // namespace ringmaster::app
