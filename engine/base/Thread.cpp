#include "engine/base/Thread.h"

#include "engine/base/Codes.h"

#include <csignal>
#include <system_error>

#include <pthread.h>

namespace ringmaster {

namespace {

/// A thread inherits the mask of the one that starts it.
class WithoutSignals
{
public:
    WithoutSignals()
    {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &m_before);
    }
    ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
    WithoutSignals(const WithoutSignals&) = delete;
    WithoutSignals& operator=(const WithoutSignals&) = delete;

private:
    sigset_t m_before{};
};

Error errorOf(const std::system_error& error)
{
    const int number = error.code().value();
    if (number == EAGAIN || number == ENOMEM)
        return {{code::ThreadNotStarted, {}, errnoText(number)}, {}};
    const std::string what = error.what();
    return {{code::SystemCallFailed, {{"call", what.substr(0, what.find(':'))}}, errnoText(number)},
            {}};
}

} // namespace

std::thread startThreadOrThrow(const char* name, std::function<void()> body)
{
    const WithoutSignals inherited;
    return std::thread([name, body = std::move(body)] {
        pthread_setname_np(pthread_self(), name);
        body();
    });
}

Result<std::thread> startThread(const char* name, std::function<void()> body)
{
    try {
        return startThreadOrThrow(name, std::move(body));
    } catch (const std::system_error& error) {
        return tl::unexpected(errorOf(error));
    }
}

void tryThreadOrThrow()
{
    startThreadOrThrow("rm-first", [] {}).join();
}

Result<void> guardThreads(const std::function<Result<void>()>& work)
{
    try {
        return work();
    } catch (const std::system_error& error) {
        return tl::unexpected(errorOf(error));
    }
}

} // namespace ringmaster
