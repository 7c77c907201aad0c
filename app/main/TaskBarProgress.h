#pragma once

#include "app/model/RunProgress.h"

namespace ringmaster::app {

/// Shows how far the jobs are on the program's button in the desktop's task bar, where that is one
/// that listens (com.canonical.Unity.LauncherEntry: Plasma, Ubuntu's dock, Dash to Dock).
class TaskBarProgress : public QObject
{
    Q_OBJECT

public:
    explicit TaskBarProgress(const RunProgress& progress, QObject* parent = nullptr);
    ~TaskBarProgress() override;

private:
    void update();
    static void say(bool isShown, double part);

    const RunProgress& m_progress;
    bool m_isShown = false;
};

} // namespace ringmaster::app
