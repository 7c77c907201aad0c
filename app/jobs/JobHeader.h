#pragma once

#include "engine/event/Health.h"

#include <QWidget>

class QHBoxLayout;
class QToolButton;

namespace ringmaster::app {

class ElidedLabel;
class AttemptChoice;
class JobActions;
class RunModel;
class StatusBadge;

/// The head of a job's page: name, state, where it stands, and its actions.
class JobHeader : public QWidget
{
    Q_OBJECT

public:
    JobHeader(const RunModel& run, AttemptChoice& attempts, JobActions& actions,
              QWidget* parent = nullptr);

    /// "Slow 1:03": how a job stands, and since when where that isn't the usual.
    static QString badgeText(const JobHealth& health);

    /// As if the buttons stood below: else the window couldn't become so narrow that they do.
    QSize minimumSizeHint() const override;
    /// Again each second: the time goes on.
    void update();
    /// Of a run on another machine: the way there is broken, and why; empty: it isn't.
    void setOutOfReach(const QString& why);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QString lineText() const;
    void placeButtons(bool areBelow);

    const RunModel& m_run;
    QString m_outOfReach;
    JobActions& m_actions;
    ElidedLabel* m_name;
    StatusBadge* m_badge;
    QHBoxLayout* m_row;
    ElidedLabel* m_line;
    QWidget* m_buttons;
    bool m_areButtonsBelow = false;
    QToolButton* m_signalButton;
};

} // namespace ringmaster::app
