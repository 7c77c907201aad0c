#include "app/main/TaskBarProgress.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>

namespace ringmaster::app {

TaskBarProgress::TaskBarProgress(const RunProgress& progress, QObject* parent)
    : QObject(parent), m_progress(progress)
{
    connect(&progress, &RunProgress::changed, this, &TaskBarProgress::update);
    update();
}

TaskBarProgress::~TaskBarProgress()
{
    if (m_isShown)
        say(false, 0);
}

void TaskBarProgress::update()
{
    const auto& all = m_progress.all();
    double sum = 0;
    for (const auto& [run, progress] : all)
        sum += progress.part;
    if (all.empty() && !m_isShown)
        return;
    m_isShown = !all.empty();
    say(m_isShown, m_isShown ? sum / static_cast<double>(all.size()) : 0);
}

void TaskBarProgress::say(bool isShown, double part)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    QDBusMessage signal = QDBusMessage::createSignal(
        QStringLiteral("/org/ringmaster/Ringmaster"),
        QStringLiteral("com.canonical.Unity.LauncherEntry"), QStringLiteral("Update"));
    signal << QStringLiteral("application://%1.desktop").arg(QApplication::desktopFileName())
           << QVariantMap{{QStringLiteral("progress"), part},
                          {QStringLiteral("progress-visible"), isShown}};
    bus.send(signal);
}

} // namespace ringmaster::app
