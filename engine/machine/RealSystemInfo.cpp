#include "engine/machine/RealSystemInfo.h"

#include "engine/base/FileDescriptor.h"
#include "engine/base/Files.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <unistd.h>

namespace ringmaster {

namespace {

namespace fs = std::filesystem;

constexpr size_t MostSubfolders = 200;

bool mayAccess(const fs::path& path, int mode)
{
    return access(path.c_str(), mode) == 0;
}

/// The whole of a file of /proc, which has no size.
std::string procText(const fs::path& path)
{
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text;
    std::array<char, 65536> buffer{};
    for (ssize_t count = 1; file.isOpen() && count > 0;) {
        count = read(file.get(), buffer.data(), buffer.size());
        text.append(buffer.data(), count > 0 ? static_cast<size_t>(count) : 0);
    }
    return text;
}

/// Inode of the socket that listens on a port; nothing when nobody does. /proc is used rather than
/// an attempt to bind, which would take the port for a moment.
std::optional<std::string> listenerOn(int port, const char* table)
{
    std::istringstream lines(procText(table));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::istringstream columns(line);
        std::vector<std::string> fields(std::istream_iterator<std::string>(columns),
                                        std::istream_iterator<std::string>{});
        constexpr const char* Listening = "0A";
        if (fields.size() < 10 || fields[3] != Listening)
            continue;
        const size_t colon = fields[1].rfind(':');
        if (colon != std::string::npos &&
            std::strtol(fields[1].c_str() + colon + 1, nullptr, 16) == port)
            return fields[9];
    }
    return std::nullopt;
}

/// The process that has this socket open; 0 unless it is one whose descriptors can be seen.
int holderOf(const std::string& inode)
{
    const std::string wanted = "socket:[" + inode + "]";
    std::error_code error;
    for (fs::directory_iterator process("/proc", error), end; !error && process != end;
         process.increment(error)) {
        const auto pid = pythonInt(process->path().filename().string());
        if (!pid)
            continue;
        std::error_code inner;
        for (fs::directory_iterator fd(process->path() / "fd", inner); !inner && fd != end;
             fd.increment(inner)) {
            std::error_code gone;
            if (fs::read_symlink(fd->path(), gone) == wanted)
                return *pid;
        }
    }
    return 0;
}

bool isLocalAddress(const std::string& host)
{
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0)
        return false;
    bool found = false;
    for (const ifaddrs* at = list; at != nullptr && !found; at = at->ifa_next) {
        if (at->ifa_addr == nullptr)
            continue;
        std::array<char, INET6_ADDRSTRLEN> text{};
        const int family = at->ifa_addr->sa_family;
        const void* address = nullptr;
        if (family == AF_INET)
            address = &reinterpret_cast<const sockaddr_in*>(at->ifa_addr)->sin_addr;
        else if (family == AF_INET6)
            address = &reinterpret_cast<const sockaddr_in6*>(at->ifa_addr)->sin6_addr;
        found = address != nullptr &&
                inet_ntop(family, address, text.data(), text.size()) != nullptr &&
                host == text.data();
    }
    freeifaddrs(list);
    return found;
}

} // namespace

RealSystemInfo::RealSystemInfo(EnvironmentMap environment, fs::path launchFolder,
                               Agreement agreement, std::chrono::milliseconds patience)
    : m_environment(std::move(environment))
    , m_launchFolder(std::move(launchFolder))
    , m_interpreters(m_environment, patience)
    , m_agreement(std::move(agreement))
    , m_devices(listDevices())
{
    const int listed = static_cast<int>(m_devices.devices.size());
    m_counts = listed > 0 ? countMachine(m_environment, listed) : countMachine(m_environment);
}

std::string RealSystemInfo::activeInterpreter() const
{
    if (!m_active)
        m_active = m_interpreters.active();
    return *m_active;
}

SystemInfo::File RealSystemInfo::file(const std::string& path) const
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    File file;
    file.exists = fs::exists(status);
    file.isFolder = fs::is_directory(status);
    file.isReadable = mayAccess(path, R_OK);
    file.isExecutable = mayAccess(path, X_OK);
    return file;
}

std::string RealSystemInfo::fileStart(const std::string& path, size_t limit) const
{
    return startOfFile(path, limit);
}

bool RealSystemInfo::canWriteInto(const std::string& folder) const
{
    std::error_code error;
    fs::path existing = folder;
    while (!fs::exists(existing, error) && existing.has_relative_path())
        existing = existing.parent_path();
    return fs::is_directory(existing, error) && mayAccess(existing, W_OK | X_OK);
}

std::vector<std::string> RealSystemInfo::subfolders(const std::string& folder) const
{
    std::vector<std::string> found;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end;
         !error && at != end && found.size() < MostSubfolders; at.increment(error)) {
        std::error_code gone;
        if (at->is_directory(gone))
            found.push_back(at->path().string());
    }
    std::ranges::sort(found);
    return found;
}

std::string RealSystemInfo::findCommand(const std::string& name) const
{
    for (const std::string& folder : split(variable("PATH").value_or(""), ':')) {
        const fs::path path = fs::path(folder.empty() ? "." : folder) / name;
        std::error_code error;
        if (fs::is_regular_file(path, error) && mayAccess(path, X_OK))
            return path.string();
    }
    return {};
}

std::optional<Interpreter> RealSystemInfo::interpreter(const InterpreterQuestion& question) const
{
    return m_interpreters.inspect(question, m_agreement);
}

bool RealSystemInfo::isThisMachine(const std::string& host) const
{
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    // No name is resolved: a name server that is away would stop the caller for seconds.
    return host == "localhost" || host.starts_with("127.") || host == "::1" ||
           host == name.data() || isLocalAddress(host);
}

SystemInfo::Port RealSystemInfo::port(int number) const
{
    auto inode = listenerOn(number, "/proc/net/tcp");
    if (!inode)
        inode = listenerOn(number, "/proc/net/tcp6");
    Port port;
    port.isFree = !inode;
    if (!inode)
        return port;
    port.pid = holderOf(*inode);
    if (port.pid > 0)
        port.program = stripped(procText("/proc/" + std::to_string(port.pid) + "/comm"));
    return port;
}

std::optional<std::string> RealSystemInfo::variable(const std::string& name) const
{
    const auto found = m_environment.find(name);
    return found == m_environment.end() ? std::nullopt : std::optional(found->second);
}

} // namespace ringmaster
