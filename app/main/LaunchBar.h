#pragma once

#include "app/bridge/MachineBridge.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace ringmaster::app {

class ElidedLabel;

/// A job on its way to another machine, above the pages: what is done now, how far it is, and a way
/// to call it off. Deleted, it calls it off.
class LaunchBar : public QFrame
{
    Q_OBJECT

public:
    LaunchBar(MachineBridge& machines, MachineLaunch launch, QWidget* parent = nullptr);

    const QString& machine() const { return m_machine; }

Q_SIGNALS:
    void started(const QString& run);
    void failed(const ringmaster::Error& why);
    /// By the user.
    void cancelled(bool mayHaveStarted);

private:
    void told(LaunchStep step, const Message& progress);
    void setTexts();

    const QString m_machine;
    LaunchStep m_step = LaunchStep::Reaching;
    Message m_progress;
    QLabel* m_headline;
    ElidedLabel* m_detail;
    QPushButton* m_cancel;
    Subscription m_launch; ///< Last: cancelled first.
};

} // namespace ringmaster::app
