#pragma once

class QAbstractItemView;
class QModelIndex;

namespace ringmaster::app {

/// What a view that paints its rows itself is for screen readers: a list of those rows, each with
/// its AccessibleTextRole. A view inherits it beside QAbstractItemView; its own tables and lists Qt
/// knows already.
class ReadableRows
{
public:
    struct Range
    {
        int first = 0;
        int count = 0;
    };

    virtual ~ReadableRows() = default;

    /// The rows that are told: those on the screen where there are many.
    virtual Range readableRows() const = 0;

protected:
    ReadableRows();

    /// From the view's currentChanged().
    void tellCurrentRow(QAbstractItemView* view, const QModelIndex& current) const;
};

} // namespace ringmaster::app
