#pragma once

#include <QObject>
#include <QProcessEnvironment>
#include <QString>

namespace ringmaster::app {

/// Runs the user's command for an alert, in a shell, and says when it fails. What happened is in
/// its environment; neither that nor the command itself, which may hold a password, is in the
/// arguments of a process, which everybody on the machine can read.
class AlertCommand : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Returns at once. A command that is still at it after a minute is ended.
    void run(const QString& command, const QProcessEnvironment& told);

Q_SIGNALS:
    void failed(const QString& why);
};

} // namespace ringmaster::app
