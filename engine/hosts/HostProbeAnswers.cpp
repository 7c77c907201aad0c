#include "engine/hosts/HostProbeAnswers.h"

#include "engine/base/Clock.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/hosts/HostProbeQuestions.h"
#include "engine/machine/RealSystemInfo.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <memory>
#include <sstream>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

namespace {

using namespace probe_line;

constexpr int ReachMs = 2'000;

std::string problem(const std::string& text)
{
    return std::string(Problem) + text;
}

/// Calls with each interface's name and numeric IPv4 address until that says true.
void forEachInterface(const std::function<bool(const std::string&, const std::string&)>& visit)
{
    ifaddrs* interfaces = nullptr;
    if (::getifaddrs(&interfaces) != 0)
        return;
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(interfaces, &::freeifaddrs);
    for (const ifaddrs* each = interfaces; each != nullptr; each = each->ifa_next) {
        if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET)
            continue;
        std::array<char, INET_ADDRSTRLEN> text{};
        const auto* address = reinterpret_cast<const sockaddr_in*>(each->ifa_addr);
        ::inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size());
        if (visit(each->ifa_name, text.data()))
            return;
    }
}

std::string addressOf(const std::string& interface)
{
    std::string found;
    forEachInterface([&](const std::string& name, const std::string& address) {
        found = name == interface ? address : "";
        return !found.empty();
    });
    return found;
}

std::string interfaceOf(const std::string& address)
{
    std::string found;
    forEachInterface([&](const std::string& name, const std::string& each) {
        found = each == address ? name : "";
        return !found.empty();
    });
    return found;
}

/// Free bytes of the disk that a folder is or will be on; -1: not known.
std::int64_t spaceFor(std::filesystem::path folder)
{
    std::error_code error;
    while (!std::filesystem::exists(folder, error) && folder.has_relative_path())
        folder = folder.parent_path();
    const auto space = std::filesystem::space(folder, error);
    return error ? -1 : static_cast<std::int64_t>(space.available);
}

/// Of where the agent and where runs are kept, the disk with less.
std::string leastSpace()
{
    const std::int64_t cache = spaceFor(cacheFolder());
    const std::int64_t state = spaceFor(stateFolder());
    const bool isState = state >= 0 && state < cache;
    return std::to_string(isState ? state : cache) + " " +
           (isState ? stateFolder() : cacheFolder()).string();
}

/// Tries what an agent does first: its run folder is made in the state folder, its program lies in
/// the cache. Where nothing is there yet, the folder that would be made is looked at.
std::string unwritable()
{
    for (const std::filesystem::path& folder : {stateFolder(), cacheFolder()}) {
        std::error_code error;
        std::filesystem::path there = folder;
        while (!std::filesystem::exists(there, error) && there.has_relative_path())
            there = there.parent_path();
        if (::access(there.c_str(), W_OK | X_OK) != 0)
            return folder.string() + "\t" + errnoText(errno);
        const std::filesystem::path probe = there / (".ringmaster-" + randomToken(8));
        constexpr std::string_view Content = "This file may be removed.\n";
        const auto written = writeFileAtomically(probe, Content, 0600, Durability::Relaxed);
        std::filesystem::remove(probe, error);
        if (!written)
            return folder.string() + "\t" + written.error().detail;
    }
    return {};
}

/// Where ssh came in: "client port server port".
std::string addressOfSsh(const EnvironmentMap& environment)
{
    const auto ssh = environment.find("SSH_CONNECTION");
    std::istringstream words(ssh != environment.end() ? ssh->second : std::string());
    std::string client;
    std::string port;
    std::string server;
    words >> client >> port >> server;
    return server;
}

using AddressList = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

AddressList lookUp(const std::string& host, const std::string& port, std::string& reason)
{
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found); error != 0)
        reason = ::gai_strerror(error);
    return {found, &::freeaddrinfo};
}

/// Answers questions; what it listens on stays open as long as it lives.
class Answers
{
public:
    std::string answer(const std::string& question)
    {
        if (question.starts_with(AskFacts))
            return toJson(machineFacts(m_environment, question.substr(AskFacts.size())));
        if (question.starts_with(AskPath))
            return ::access(question.substr(AskPath.size()).c_str(), R_OK) == 0 ? "1" : "0";
        if (question.starts_with(AskToListen))
            return listen(question.substr(AskToListen.size()));
        if (question.starts_with(AskToReach))
            return reach(question.substr(AskToReach.size()));
        if (question.starts_with(AskName))
            return meaningOf(question.substr(AskName.size()));
        if (question.starts_with(AskInterface))
            return interfaceOf(question.substr(AskInterface.size()));
        if (question == AskSpace)
            return leastSpace();
        if (question == AskWritable)
            return unwritable();
        if (question.starts_with(AskProgram))
            return isOnPath(question.substr(AskProgram.size())) ? "1" : "0";
        if (question == AskLeftOvers) {
            const LeftOvers left = leftOvers();
            return left.processes + "\t" + left.program;
        }
        return std::to_string(SystemClock().now().wallNs);
    }

private:
    static std::string meaningOf(const std::string& name)
    {
        std::string reason;
        const AddressList found = lookUp(name, "0", reason);
        std::array<char, NI_MAXHOST> text{};
        if (found == nullptr || ::getnameinfo(found->ai_addr, found->ai_addrlen, text.data(),
                                              text.size(), nullptr, 0, NI_NUMERICHOST) != 0)
            return problem(reason);
        return text.data();
    }

    std::string listen(const std::string& request)
    {
        const size_t space = std::min(request.find(' '), request.size());
        const std::string interface = request.substr(std::min(space + 1, request.size()));
        std::string address = request.substr(0, space);
        if (address.empty() && !interface.empty())
            address = addressOf(interface);
        if (address.empty() && !interface.empty())
            return problem("there is no interface " + interface + " with an address");
        if (address.empty())
            address = addressOfSsh(m_environment);
        if (address.empty())
            address = "localhost";
        std::string reason;
        const AddressList found = lookUp(address, "0", reason);
        for (const addrinfo* each = found.get(); each != nullptr; each = each->ai_next) {
            FileDescriptor socket(
                ::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC, each->ai_protocol));
            sockaddr_storage own{};
            socklen_t size = sizeof own;
            std::array<char, NI_MAXSERV> port{};
            auto* name = reinterpret_cast<sockaddr*>(&own);
            if (::bind(socket.get(), each->ai_addr, each->ai_addrlen) == 0 &&
                ::listen(socket.get(), SOMAXCONN) == 0 &&
                ::getsockname(socket.get(), name, &size) == 0 &&
                ::getnameinfo(name, size, nullptr, 0, port.data(), port.size(), NI_NUMERICSERV) ==
                    0) {
                m_listening = std::move(socket);
                return address + " " + port.data();
            }
            reason = errnoText(errno);
        }
        return problem(address + ": " + reason);
    }

    static std::string reach(const std::string& where)
    {
        const size_t space = std::min(where.rfind(' '), where.size());
        std::string reason;
        const AddressList found =
            lookUp(where.substr(0, space), where.substr(std::min(space + 1, where.size())), reason);
        for (const addrinfo* each = found.get(); each != nullptr; each = each->ai_next) {
            const std::int64_t begun = SystemClock().now().monotonicNs;
            const FileDescriptor socket(::socket(
                each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, each->ai_protocol));
            if (::connect(socket.get(), each->ai_addr, each->ai_addrlen) != 0 &&
                errno != EINPROGRESS) {
                reason = errnoText(errno);
                continue;
            }
            pollfd wait{socket.get(), POLLOUT, 0};
            int error = ETIMEDOUT;
            socklen_t size = sizeof error;
            if (::poll(&wait, 1, ReachMs) > 0)
                ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
            if (error == 0)
                return std::to_string(SystemClock().now().monotonicNs - begun);
            reason = errnoText(error);
        }
        return problem(reason);
    }

    EnvironmentMap m_environment = currentEnvironment();
    FileDescriptor m_listening;
};

} // namespace

bool isOnPath(const std::string& program)
{
    return !RealSystemInfo(currentEnvironment(), "/").findCommand(program).empty();
}

void answerHostProbe(int input, int output)
{
    Answers answers;
    std::string text;
    for (;;) {
        const size_t end = text.find('\n');
        if (end == std::string::npos) {
            std::array<char, 4096> buffer{};
            const ssize_t count = ::read(input, buffer.data(), buffer.size());
            if (count <= 0)
                return;
            text.append(buffer.data(), static_cast<size_t>(count));
            continue;
        }
        const std::string question = text.substr(0, end);
        text.erase(0, end + 1);
        if (!writeAll(output, answers.answer(question) + "\n"))
            return;
    }
}

} // namespace ringmaster
