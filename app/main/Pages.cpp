#include "app/main/Pages.h"

#include "app/editor/EditorPage.h"
#include "app/history/HistoryPage.h"

namespace ringmaster::app {

PageFactories pages()
{
    return {.editor = [](EngineBridge&, QWidget* parent) { return new EditorPage(parent); },
            .history = [](EngineBridge& bridge, RunListModel&,
                          QWidget* parent) { return new HistoryPage(bridge, parent); }};
}

} // namespace ringmaster::app
