#include "engine/attach/ProcessTable.h"

#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>

#include <arpa/inet.h>
#include <sys/stat.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LongestText = 16U << 20U;
constexpr size_t MostConnections = 4096; ///< Of a process.

/// What launchers leave in the environment of a rank: torch's own, then those of Slurm, of Open
/// MPI and of MPICH.
constexpr std::array Names{"RANK",
                           "WORLD_SIZE",
                           "LOCAL_RANK",
                           "LOCAL_WORLD_SIZE",
                           "GROUP_RANK",
                           "MASTER_ADDR",
                           "MASTER_PORT",
                           "TORCHELASTIC_RUN_ID",
                           "TORCHELASTIC_RESTART_COUNT",
                           "ACCELERATE_MIXED_PRECISION",
                           "CROSS_RANK",
                           "CROSS_SIZE",
                           "SLURM_PROCID",
                           "SLURM_NTASKS",
                           "SLURM_LOCALID",
                           "SLURM_JOB_ID",
                           "SLURM_STEP_ID",
                           "OMPI_COMM_WORLD_RANK",
                           "OMPI_COMM_WORLD_SIZE",
                           "OMPI_COMM_WORLD_LOCAL_RANK",
                           "PMIX_NAMESPACE",
                           "PMI_RANK",
                           "PMI_SIZE",
                           "RINGMASTER_RUN"};

std::map<std::string, std::string, std::less<>> variablesOf(std::string_view environment)
{
    std::map<std::string, std::string, std::less<>> found;
    while (!environment.empty()) {
        const std::string_view entry = environment.substr(0, environment.find('\0'));
        environment.remove_prefix(std::min(entry.size() + 1, environment.size()));
        const size_t equals = entry.find('=');
        if (equals != std::string_view::npos &&
            std::ranges::find(Names, entry.substr(0, equals)) != Names.end())
            found.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
    return found;
}

bool showsRank(const ForeignProcess& process)
{
    const auto has = [&](std::string_view name) { return process.variables.contains(name); };
    return (has("RANK") && has("WORLD_SIZE")) || has("OMPI_COMM_WORLD_RANK") || has("PMI_RANK") ||
           has("SLURM_PROCID");
}

/// "0100007F:7534" of /proc/net/tcp, where each 32-bit group is in the machine's order.
std::string endpointOf(std::string_view text)
{
    const size_t colon = text.find(':');
    if (colon != 8 && colon != 32)
        return {};
    unsigned port = 0;
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), port, 16);
    std::array<std::uint32_t, 4> words{};
    for (size_t i = 0; i < colon / 8; ++i)
        std::from_chars(text.data() + i * 8, text.data() + i * 8 + 8, words.at(i), 16);
    const bool isMapped =
        colon == 32 && words[0] == 0 && words[1] == 0 && words[2] == htonl(0xffff);
    std::array<char, INET6_ADDRSTRLEN> address{};
    if (colon == 8 || isMapped) {
        inet_ntop(AF_INET, colon == 8 ? words.data() : &words[3], address.data(), address.size());
        return std::string(address.data()) + ":" + std::to_string(port);
    }
    inet_ntop(AF_INET6, words.data(), address.data(), address.size());
    return "[" + std::string(address.data()) + "]:" + std::to_string(port);
}

struct Socket
{
    bool isListening = false;
    std::string local{};
    std::string peer{};
};
using Sockets = std::map<std::uint64_t, Socket>;

void readSockets(const fs::path& file, Sockets& sockets)
{
    constexpr std::string_view Established = "01";
    constexpr std::string_view Listening = "0A";
    std::istringstream lines(readFile(file, LongestText).value_or(""));
    std::string line;
    std::getline(lines, line); // the titles
    while (std::getline(lines, line)) {
        std::istringstream fields(line);
        std::string slot, local, peer, state, queues, timer, retransmits, uid, timeout;
        std::uint64_t inode = 0;
        if (!(fields >> slot >> local >> peer >> state >> queues >> timer >> retransmits >> uid >>
              timeout >> inode))
            continue;
        if (state == Established || state == Listening)
            sockets[inode] = {state == Listening, endpointOf(local), endpointOf(peer)};
    }
}

/// The TCP sockets of the network that a process sees; of each network once.
class Networks
{
public:
    const Sockets& of(const fs::path& process)
    {
        std::error_code ignored;
        const std::string network = fs::read_symlink(process / "ns/net", ignored);
        const auto [at, isNew] = m_sockets.try_emplace(network);
        if (isNew) {
            readSockets(process / "net/tcp", at->second);
            readSockets(process / "net/tcp6", at->second);
        }
        return at->second;
    }

private:
    std::map<std::string, Sockets> m_sockets;
};

void lookAtDescriptors(ForeignProcess& process, const fs::path& folder, Networks& networks)
{
    constexpr std::string_view Prefix = "socket:[";
    const Sockets& sockets = networks.of(folder);
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder / "fd", ignored)) {
        const std::string target = fs::read_symlink(entry.path(), ignored);
        if (entry.path().filename() == "1" && target.starts_with('/') &&
            fs::is_regular_file(target, ignored))
            process.output = target;
        if (!target.starts_with(Prefix))
            continue;
        std::uint64_t inode = 0;
        std::from_chars(target.data() + Prefix.size(), target.data() + target.size(), inode);
        const auto found = sockets.find(inode);
        if (found == sockets.end() || process.connections.size() >= MostConnections)
            continue;
        if (found->second.isListening)
            process.listensAt.push_back(found->second.local);
        else
            process.connections.push_back({inode, found->second.peer});
    }
}

pid_t parentOf(pid_t pid)
{
    std::istringstream fields(statOf(pid));
    std::string state;
    pid_t parent = 0;
    fields >> state >> parent;
    return parent;
}

/// Those that count, and what they descend from.
std::vector<ForeignProcess> concerned(std::map<pid_t, ForeignProcess> all,
                                      const std::set<pid_t>& ranks)
{
    std::set<pid_t> kept;
    for (pid_t pid : ranks) {
        while (all.contains(pid) && kept.insert(pid).second)
            pid = all.at(pid).parent;
    }
    std::vector<ForeignProcess> found;
    for (const pid_t pid : kept) {
        ForeignProcess& process = all.at(pid);
        process.about = aboutProcess(pid);
        // Its number may be another process's by now.
        if (isAlive(process.identity))
            found.push_back(std::move(process));
    }
    return found;
}

} // namespace

std::vector<ForeignProcess> readProcessTable()
{
    std::map<pid_t, ForeignProcess> all;
    std::set<pid_t> ranks;
    Networks networks;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename();
        pid_t pid = 0;
        const auto parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size())
            continue;
        const auto identity = identityOf(pid);
        if (!identity)
            continue;
        ForeignProcess process{.identity = *identity, .parent = parentOf(pid)};
        process.variables =
            variablesOf(readFile(entry.path() / "environ", LongestText).value_or(""));
        process.hasTorch =
            readFile(entry.path() / "maps", LongestText).value_or("").find("/libtorch_cpu.so") !=
            std::string::npos;
        if (process.hasTorch || showsRank(process)) {
            lookAtDescriptors(process, entry.path(), networks);
            ranks.insert(pid);
        }
        all.emplace(pid, std::move(process));
    }
    return concerned(std::move(all), ranks);
}

} // namespace ringmaster
