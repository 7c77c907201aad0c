#include "engine/worker/keeper/PodmanRemoval.h"

#include "engine/base/ProcessSignal.h"
#include "engine/worker/WorkerContainer.h"
#include "engine/worker/keeper/WorkerChild.h"

#include <algorithm>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster::keeper {

namespace {

constexpr int LongestMs = 10'000;

std::string withEnd(const std::string& text)
{
    return text + '\0';
}

/// Ends with the string at `at`, which goes on behind it.
std::string next(const std::string& text, std::size_t& at)
{
    const std::size_t end = std::min(text.find('\0', at), text.size());
    std::string found = text.substr(at, end - at);
    at = end + 1;
    return found;
}

std::string contentOf(int memory)
{
    struct stat info
    {
    };
    if (fstat(memory, &info) != 0 || info.st_size <= 0)
        return {};
    std::string text(static_cast<std::size_t>(info.st_size), '\0');
    const ssize_t got = pread(memory, text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return text;
}

} // namespace

FileDescriptor PodmanRemoval::makeMemory()
{
    return FileDescriptor(memfd_create("ringmaster-containers", 0));
}

void PodmanRemoval::remember(const Launch& launch)
{
    const auto container = containerIn(launch.arguments, launch.environment);
    if (!m_memory.isOpen() || !container || hasContainers())
        return;
    std::string text = withEnd(container->program) + withEnd(container->run);
    for (const std::string& variable : container->environment)
        text += withEnd(variable);
    if (pwrite(m_memory.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
        (void)ftruncate(m_memory.get(), 0);
}

bool PodmanRemoval::hasContainers() const
{
    return !contentOf(m_memory.get()).empty();
}

void PodmanRemoval::run() const
{
    const std::string text = contentOf(m_memory.get());
    if (text.empty())
        return;
    std::size_t at = 0;
    WorkerContainer container;
    container.program = next(text, at);
    container.run = next(text, at);
    Launch launch;
    launch.arguments = removalCommand(container);
    if (launch.arguments.empty())
        return;
    while (at < text.size())
        launch.environment.push_back(next(text, at));
    std::vector<FileDescriptor> streams;
    for (int i = 0; i < 3; ++i)
        streams.emplace_back(open("/dev/null", O_RDWR | O_CLOEXEC));
    const StartingChild child = startChild(launch, streams, {});
    if (child.pid < 0)
        return;
    const FileDescriptor pidfd = pidfdOf(child.pid);
    pollfd ended{pidfd.get(), POLLIN, 0};
    if (poll(&ended, 1, LongestMs) <= 0)
        kill(child.pid, SIGKILL); // Not reaped yet: the number is its own.
    (void)waitpid(child.pid, nullptr, WNOHANG);
}

} // namespace ringmaster::keeper
