#include "app/main/Pages.h"

#include "app/bandwidth/BandwidthPage.h"
#include "app/editor/EditorPage.h"
#include "app/history/HistoryPage.h"
#include "app/hosts/HostsPage.h"
#include "app/learn/LearnPage.h"

namespace ringmaster::app {

PageFactories pages()
{
    return {.editor = [](EngineBridge& bridge,
                         QWidget* parent) { return new EditorPage(bridge, parent); },
            .bandwidth = [](EngineBridge& bridge,
                            QWidget* parent) { return new BandwidthPage(bridge, parent); },
            .learn = [](EngineBridge& bridge,
                        QWidget* parent) { return new LearnPage(bridge, parent); },
            .hosts = [](EngineBridge& bridge,
                        QWidget* parent) { return new HostsPage(bridge, parent); },
            .history = [](EngineBridge& bridge, RunListModel&,
                          QWidget* parent) { return new HistoryPage(bridge, parent); }};
}

} // namespace ringmaster::app
