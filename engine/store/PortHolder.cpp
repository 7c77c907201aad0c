#include "engine/store/PortHolder.h"

#include "engine/base/Files.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t ProcLimit = 64U << 20U;
constexpr size_t CommandLimit = 80;
constexpr auto Listening = "0A";

/// Inode numbers, as text, of the sockets that listen on `port`.
void addListeners(const char* table, std::uint16_t port, std::set<std::string>& inodes)
{
    const auto content = readFile(table, ProcLimit);
    std::istringstream lines(content.value_or(""));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::istringstream fields(line);
        std::string skipped;
        std::string local;
        std::string state;
        std::string inode;
        fields >> skipped >> local >> skipped >> state;
        for (int column = 4; column < 9; ++column) // queues, timer, retransmits, user, timeout
            fields >> skipped;
        fields >> inode;
        const size_t colon = local.find(':');
        if (state == Listening && colon != std::string::npos &&
            std::stoul("0" + local.substr(colon + 1), nullptr, 16) == port)
            inodes.insert("socket:[" + inode + "]");
    }
}

bool holdsOneOf(const fs::path& process, const std::set<std::string>& sockets)
{
    std::error_code error;
    fs::directory_iterator descriptor(process / "fd", error);
    for (const fs::directory_iterator end; !error && descriptor != end;
         descriptor.increment(error)) {
        std::error_code gone;
        if (sockets.contains(fs::read_symlink(descriptor->path(), gone).string()))
            return true;
    }
    return false;
}

std::string commandOf(const fs::path& process)
{
    std::string command = readFile(process / "cmdline", ProcLimit).value_or("");
    std::replace(command.begin(), command.end(), '\0', ' ');
    command.erase(command.find_last_not_of(' ') + 1);
    if (command.size() > CommandLimit)
        command = command.substr(0, CommandLimit) + "…";
    return command;
}

} // namespace

std::optional<std::string> holderOfPort(std::uint16_t port)
{
    std::set<std::string> sockets;
    addListeners("/proc/net/tcp", port, sockets);
    addListeners("/proc/net/tcp6", port, sockets);
    if (sockets.empty())
        return std::nullopt;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") == std::string::npos &&
            holdsOneOf(entry.path(), sockets))
            return "process " + name + " (" + commandOf(entry.path()) + ")";
    }
    return "another user's process";
}

} // namespace ringmaster
