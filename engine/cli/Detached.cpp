#include "engine/cli/Detached.h"

#include "engine/base/Codes.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Paths.h"
#include "engine/cli/Terminal.h"
#include "engine/record/RunFolder.h"

#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster {

namespace {

/// What is printed from now on has no terminal to go to.
void printInto(const std::filesystem::path& file)
{
    const FileDescriptor log(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    const FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const int target = log.isOpen() ? log.get() : nothing.get();
    ::dup2(target, STDOUT_FILENO);
    ::dup2(target, STDERR_FILENO);
}

std::string readAll(int fd)
{
    std::string text;
    std::array<char, 512> buffer{};
    for (;;) {
        const ssize_t count = ::read(fd, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return text;
        text.append(buffer.data(), static_cast<size_t>(count));
    }
}

int becomeAgent(FileDescriptor ready,
                const std::function<int(const std::function<void(const std::string&)>&)>& agent)
{
    ::setsid();
    // Until it has a run nobody could find it: it goes with who waits for it.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    const FileDescriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    ::dup2(nothing.get(), STDIN_FILENO);
    return agent([&ready](const std::string& run) {
        printInto(RunFolder::find(runsFolder(), run)
                      .map([](const RunFolder& folder) { return folder.agentLog(); })
                      .value_or("/dev/null"));
        ::prctl(PR_SET_PDEATHSIG, 0);
        (void)writeAll(ready.get(), run); // whoever waited may have gone
        ready.close();
    });
}

} // namespace

int runDetached(const std::function<int(const std::function<void(const std::string&)>&)>& agent)
{
    auto pipe = makePipe();
    if (!pipe)
        return complain(pipe.error());
    const pid_t child = ::fork();
    if (child < 0)
        return complain(Error{{code::SystemCallFailed, {{"call", "fork"}}, errnoText(errno)}, {}});
    if (child == 0) {
        pipe->readEnd.close();
        return becomeAgent(std::move(pipe->writeEnd), agent);
    }
    pipe->writeEnd.close();
    const std::string run = readAll(pipe->readEnd.get());
    if (!run.empty()) {
        Terminal(STDOUT_FILENO).print(run + "\n");
        return 0;
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace ringmaster
