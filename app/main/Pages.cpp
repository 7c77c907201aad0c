#include "app/main/Pages.h"

#include "app/bandwidth/BandwidthPage.h"
#include "app/editor/EditorPage.h"
#include "app/history/HistoryPage.h"
#include "app/hosts/HostsPage.h"
#include "app/learn/LearnPage.h"

namespace ringmaster::app {

std::vector<PageDescription> pages()
{
    return {BandwidthPage::description(), LearnPage::description(), HostsPage::description(),
            HistoryPage::description(), EditorPage::description()};
}

} // namespace ringmaster::app
