#pragma once

#include "app/main/MainWindow.h"
#include "app/main/PageStack.h"

namespace ringmaster::app {

/// The window's page of this class; made now if it wasn't.
template <class PageClass>
PageClass& pageOf(MainWindow& window)
{
    auto* stack = window.findChild<PageStack*>();
    return static_cast<PageClass&>(*stack->page(stack->idOf(PageClass::description().key)));
}

} // namespace ringmaster::app
