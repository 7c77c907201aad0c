#include "app/main/Pages.h"

namespace ringmaster::app {

PageFactories pages()
{
    return {};
}

} // namespace ringmaster::app
