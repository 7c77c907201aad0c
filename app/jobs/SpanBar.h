#pragma once

#include "app/model/TimeSpan.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace ringmaster::app {

/// Says that a card is about a selected span of the run, and leads back to the whole; not there
/// otherwise.
class SpanBar : public QWidget
{
    Q_OBJECT

public:
    explicit SpanBar(TimeSpan& span, QWidget* parent = nullptr);

    /// What the card is about, where that isn't just what is selected.
    void setRange(std::optional<TimeSpan::Range> range);
    /// How the card shows it.
    void setNote(const QString& note);
    QString text() const;

private:
    void update();

    TimeSpan& m_span;
    std::optional<TimeSpan::Range> m_range;
    QString m_note;
    QLabel* m_label;
    QToolButton* m_allButton;
};

} // namespace ringmaster::app
