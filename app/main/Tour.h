#pragma once

#include "app/bridge/EngineBridge.h"

#include <QFrame>
#include <QMetaObject>

class QLabel;
class QPushButton;

namespace ringmaster::app {

class JobsPage;

/// Three steps for somebody who starts the dashboard for the first time: run the example, end a
/// worker, look at the cause. Each is done here or wherever else it can be done. Beside another job
/// than the example it isn't there: nobody is asked to end a worker of their own.
class Tour : public QFrame
{
    Q_OBJECT

public:
    Tour(EngineBridge& bridge, JobsPage& jobs, QWidget* parent);

    /// From 1.
    int step() const { return m_step; }

Q_SIGNALS:
    void exampleRequested(const QString& name);
    /// To the end, or skipped: it needn't come again.
    void over();

private:
    void build();
    void followJob();
    void look();
    bool showsExample() const;
    void goTo(int step);
    void act();
    void update();

    EngineBridge& m_bridge;
    JobsPage& m_jobs;
    int m_step = 1;
    QLabel* m_text;
    QPushButton* m_action;
    QPushButton* m_skip;
    QMetaObject::Connection m_watching; ///< The job that is shown.
};

} // namespace ringmaster::app
