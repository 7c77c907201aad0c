#include "app/main/WatchedMachines.h"

#include "app/bridge/MachineBridge.h"
#include "app/hosts/HostsPage.h"
#include "app/jobs/JobsPage.h"
#include "app/main/MainWindow.h"
#include "app/main/PageStack.h"
#include "app/main/SideBar.h"

#include <QSettings>

namespace ringmaster::app {

namespace {

constexpr QLatin1String Key("machines/watched");

} // namespace

void showMachines(QWidget& window, MachineBridge& machines)
{
    if (auto* main = qobject_cast<MainWindow*>(&window))
        main->setMachines(machines);
    for (auto* sideBar : window.findChildren<SideBar*>())
        sideBar->setMachines(machines);
    for (auto* page : window.findChildren<JobsPage*>())
        page->setMachines(machines);
    for (auto* page : window.findChildren<HostsPage*>())
        page->setMachines(machines);
    for (auto* stack : window.findChildren<PageStack*>())
        QObject::connect(stack, &PageStack::pageMade, &window, [&machines](Page* page) {
            if (auto* hosts = qobject_cast<HostsPage*>(page))
                hosts->setMachines(machines);
        });
    machines.setWatched(QSettings().value(Key).toStringList());
    QObject::connect(&machines, &MachineBridge::watchedChanged, &window,
                     [](const QStringList& names) { QSettings().setValue(Key, names); });
}

} // namespace ringmaster::app
