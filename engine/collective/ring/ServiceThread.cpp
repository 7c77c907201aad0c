#include "engine/collective/ring/ServiceThread.h"

#include <csignal>

#include <pthread.h>

namespace ringmaster::ring {

std::jthread startServiceThread(const char* name, std::function<void()> work)
{
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before); // The new thread inherits the mask.
    std::jthread thread([name, work = std::move(work)] {
        ::pthread_setname_np(::pthread_self(), name);
        work();
    });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

} // namespace ringmaster::ring
