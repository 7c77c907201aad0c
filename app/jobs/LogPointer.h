#pragma once

#include "app/jobs/SourcePlace.h"

#include <QObject>
#include <QPersistentModelIndex>

#include <optional>

class QMouseEvent;

namespace ringmaster::app {

class LogView;

/// The mouse over the rows of a log: a hand above what can be clicked, a source file that a line
/// names or the fold of a traceback, and the click on it.
class LogPointer : public QObject
{
    Q_OBJECT

public:
    explicit LogPointer(LogView& view);

    /// That the mouse is above, in this row.
    std::optional<SourceMention> mentionIn(const QModelIndex& row) const;
    /// The rows are others.
    void forget();

Q_SIGNALS:
    void sourceChosen(const ringmaster::app::SourcePlace& place);
    void foldChosen(int row);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Target
    {
        QPersistentModelIndex row{};
        std::optional<SourceMention> mention{};
        bool isFold = false;
        bool isThere() const { return mention.has_value() || isFold; }
    };

    Target targetAt(const QPoint& place) const;
    void pointAt(const Target& target);
    void press(const QMouseEvent& event);
    void release(const QMouseEvent& event);

    LogView& m_view;
    Target m_pointed;
    Target m_pressed;
};

} // namespace ringmaster::app
