// A worker for the tests: does the one thing that its first argument names.
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace {

using Arguments = std::vector<std::string>;

std::string quoted(const std::string& text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        if (static_cast<unsigned char>(c) >= ' ')
            result += c;
    }
    return result + "\"";
}

std::string statusField(const std::string& name)
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind(name + ":\t", 0) == 0)
            return line.substr(name.size() + 2);
    }
    return {};
}

std::string openDescriptors()
{
    std::string list;
    DIR* folder = opendir("/proc/self/fd");
    while (const dirent* entry = readdir(folder)) {
        if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != dirfd(folder))
            list += (list.empty() ? "" : ",") + std::string(entry->d_name);
    }
    closedir(folder);
    return list;
}

std::string environmentList()
{
    std::string list;
    for (char** variable = environ; *variable != nullptr; ++variable)
        list += (list.empty() ? "" : ",") + quoted(*variable);
    return list;
}

int report(const Arguments& arguments)
{
    std::string given;
    for (const std::string& argument : arguments)
        given += (given.empty() ? "" : ",") + quoted(argument);
    int deathSignal = 0;
    prctl(PR_GET_PDEATHSIG, &deathSignal);
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    winsize size{};
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    std::array<char, 4096> folder{};
    std::printf(
        "{\"arguments\":[%s],\"environment\":[%s],\"folder\":%s,\"descriptors\":[%s],"
        "\"terminals\":[%d,%d,%d],\"blocked\":\"%s\",\"ignored\":\"%s\",\"leadsSession\":%s,"
        "\"deathSignal\":%d,\"fileLimit\":%llu,\"columns\":%d}\n",
        given.c_str(), environmentList().c_str(),
        quoted(getcwd(folder.data(), folder.size())).c_str(), openDescriptors().c_str(), isatty(0),
        isatty(1), isatty(2), statusField("SigBlk").c_str(), statusField("SigIgn").c_str(),
        getsid(0) == getpid() ? "true" : "false", deathSignal,
        static_cast<unsigned long long>(files.rlim_cur), size.ws_col);
    return 0;
}

void say(const std::string& text)
{
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

[[noreturn]] void pauseForEver()
{
    for (;;)
        pause();
}

[[noreturn]] int waitForEver()
{
    say("ready\n");
    pauseForEver();
}

/// A child in this group, one in a group of its own, and one that became a daemon; all are there
/// when this returns.
void makeChildren()
{
    if (fork() == 0)
        pauseForEver();
    const pid_t other = fork();
    if (other == 0)
        pauseForEver();
    setpgid(other, other);
    const pid_t parentOfDaemon = fork();
    if (parentOfDaemon == 0) {
        setsid();
        std::signal(SIGTERM, SIG_IGN);
        std::signal(SIGHUP, SIG_IGN);
        if (fork() != 0)
            _exit(0);
        pauseForEver();
    }
    waitpid(parentOfDaemon, nullptr, 0);
}

int flood(std::size_t bytes)
{
    const std::string block(1U << 16U, 'x');
    while (bytes > 0) {
        const ssize_t count = write(1, block.data(), std::min(bytes, block.size()));
        if (count < 0)
            return 1;
        bytes -= static_cast<std::size_t>(count);
    }
    return 0;
}

/// `\n`, `\r`, `\xHH` in arguments, so that any bytes can be asked for.
std::string unescaped(const std::string& text)
{
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            bytes += text[i];
        } else if (text[++i] == 'x') {
            bytes += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            bytes += text[i] == 'n' ? '\n' : text[i] == 'r' ? '\r' : text[i];
        }
    }
    return bytes;
}

int put(int descriptor, const std::string& text)
{
    const std::string bytes = unescaped(text);
    return write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) ? 0
                                                                                               : 1;
}

/// Prints `text`, then waits to be told to go on by the file's appearance.
int putAndWaitFor(const std::string& text, const std::string& file)
{
    put(1, text);
    while (access(file.c_str(), F_OK) != 0)
        usleep(1000);
    return 0;
}

volatile std::sig_atomic_t heardTerm = 0;

/// With children as makeChildren() has them. FILE.ready is there as soon as it would hear that it
/// shall end; then it says so in FILE.heard, and ends well once FILE is there. The children need no
/// telling to end of SIGTERM.
int saveWhenTold(const std::string& file)
{
    makeChildren();
    struct sigaction action
    {
    };
    action.sa_handler = [](int) { heardTerm = 1; };
    sigaction(SIGTERM, &action, nullptr);
    std::ofstream(file + ".ready") << "ready";
    while (heardTerm == 0)
        usleep(1000);
    std::ofstream(file + ".heard") << "heard";
    while (access(file.c_str(), F_OK) != 0)
        usleep(1000);
    return 0;
}

/// Ignores that it shall end. Its child doesn't, and writes down in FILE that it has heard it;
/// FILE.ready is there as soon as it would.
[[noreturn]] int outlastWithChild(const std::string& file)
{
    std::signal(SIGTERM, SIG_IGN);
    if (fork() != 0)
        pauseForEver();
    std::signal(SIGTERM, [](int) { heardTerm = 1; });
    std::ofstream(file + ".ready") << "ready";
    while (heardTerm == 0)
        usleep(1000);
    std::ofstream(file) << "heard";
    _exit(0);
}

int run(const Arguments& arguments)
{
    const std::string& mode = arguments.at(0);
    const std::string argument = arguments.size() > 1 ? arguments[1] : "";
    if (mode == "exit")
        return std::stoi(argument);
    if (mode == "signal") {
        std::signal(std::stoi(argument), SIG_DFL); // A sanitizer would catch some.
        return raise(std::stoi(argument));
    }
    if (mode == "report")
        return report(arguments);
    if (mode == "wait")
        return waitForEver();
    if (mode == "ignore-term") {
        std::signal(SIGTERM, SIG_IGN);
        return waitForEver();
    }
    if (mode == "save")
        return saveWhenTold(argument);
    if (mode == "outlast")
        return outlastWithChild(argument);
    if (mode == "children")
        makeChildren();
    if (mode == "children")
        return argument.empty() ? waitForEver() : std::stoi(argument);
    if (mode == "flood")
        return flood(std::stoull(argument));
    if (mode == "out")
        return put(1, argument);
    if (mode == "out-and-wait")
        return putAndWaitFor(argument, arguments.at(2));
    if (mode == "both")
        return put(1, argument) + put(2, arguments.at(2));
    std::cerr << "fake_worker: no mode " << mode << '\n';
    return 2;
}

} // namespace

int main(int argc, char** argv)
{
    return run({argv + 1, argv + argc});
}
