#include "engine/diagnose/NcclRas.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <nlohmann/json.hpp>

namespace ringmaster::diagnose {

namespace {

using Json = nlohmann::json;

constexpr size_t LargestReport = 16U << 20U;
constexpr int DeepestReport = 8;
constexpr size_t MostProcesses = 65'536;
constexpr size_t LongestRasName = 64;

const Json* find(const Json& object, const char* name)
{
    if (!object.is_object())
        return nullptr;
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

std::string nameAt(const Json& object, const char* name)
{
    const Json* text = find(object, name);
    return text != nullptr && text->is_string()
               ? text->get_ref<const std::string&>().substr(0, LongestRasName)
               : std::string();
}

int countAt(const Json& object, const char* name)
{
    constexpr std::int64_t Most = 1'000'000'000;
    const Json* number = find(object, name);
    return number != nullptr && number->is_number_integer()
               ? static_cast<int>(std::clamp<std::int64_t>(number->get<std::int64_t>(), -1, Most))
               : -1;
}

bool isSetAt(const Json* object, const char* name)
{
    const Json* flag = object == nullptr ? nullptr : find(*object, name);
    return flag != nullptr && flag->is_boolean() && flag->get<bool>();
}

std::uint64_t launchedOf(const Json& rank)
{
    std::uint64_t sum = 0;
    if (const Json* counts = find(rank, "collective_counts"); counts && counts->is_object()) {
        for (const Json& count : *counts) {
            if (count.is_number_unsigned())
                sum += count.get<std::uint64_t>();
        }
    }
    return sum;
}

void addRanks(NcclRasReport& report, const Json& communicator, const char* list,
              const NcclMember& like)
{
    const Json* ranks = find(communicator, list);
    if (ranks == nullptr || !ranks->is_array())
        return;
    for (const Json& rank : *ranks) {
        if (report.processes.size() >= MostProcesses)
            return;
        NcclMember member = like;
        member.rank = countAt(rank, "rank");
        const Json* status = find(rank, "status");
        member.isUnresponsive = isSetAt(status, "unresponsive");
        member.launched = launchedOf(rank);
        const int pid = countAt(rank, "pid");
        if (pid > 0 && member.rank >= 0)
            report.processes.push_back({nameAt(rank, "host"), pid, std::move(member)});
    }
}

/// A text or a number, as NCCL's version has it.
std::string hashAt(const Json& object, const char* name)
{
    const Json* number = find(object, name);
    return number != nullptr && number->is_number() ? number->dump() : nameAt(object, name);
}

} // namespace

std::optional<NcclRasReport> readNcclRasReport(std::string_view json)
{
    if (json.size() > LargestReport)
        return std::nullopt;
    const auto isShallow = [](int depth, Json::parse_event_t /*event*/, Json& /*parsed*/) {
        return depth < DeepestReport;
    };
    const Json parsed = Json::parse(json, isShallow, false);
    const Json* communicators = find(parsed, "communicators");
    if (communicators == nullptr || !communicators->is_array())
        return std::nullopt;
    NcclRasReport report;
    for (const Json& communicator : *communicators) {
        const std::string hash =
            hashAt(communicator, "hash") + "/" + hashAt(communicator, "secondary_hash");
        const NcclMember like{.communicator = hash, .size = countAt(communicator, "size")};
        addRanks(report, communicator, "ranks", like);
        addRanks(report, communicator, "missing_ranks", like);
    }
    return report;
}

std::vector<NcclMember> NcclRasReport::membersOf(int pid) const
{
    std::vector<NcclMember> members;
    const std::string* host = nullptr;
    for (const Process& process : processes) {
        if (process.pid != pid)
            continue;
        if (host != nullptr && *host != process.host)
            return {};
        host = &process.host;
        members.push_back(process.member);
    }
    return members;
}

void NcclRasReport::compareWith(const NcclRasReport& before)
{
    std::map<std::pair<std::string, int>, std::uint64_t> launched;
    for (const Process& process : before.processes) {
        if (!process.member.isUnresponsive)
            launched[{process.member.communicator, process.member.rank}] = process.member.launched;
    }
    for (Process& process : processes) {
        const auto known = launched.find({process.member.communicator, process.member.rank});
        process.member.isStill = !process.member.isUnresponsive && known != launched.end() &&
                                 known->second == process.member.launched;
    }
}

std::optional<NcclRasAddress> ncclRasAddressOf(std::string_view enable, std::string_view where)
{
    if (enable == "0")
        return std::nullopt;
    if (where.empty())
        return NcclRasAddress{};
    const size_t colon = where.rfind(':');
    if (colon == std::string_view::npos)
        return std::nullopt;
    const std::string_view host = where.substr(0, colon);
    const std::string_view port = where.substr(colon + 1);
    NcclRasAddress address{.isIpv6 = host == "[::1]"};
    if (!address.isIpv6 && host != "localhost" && !host.starts_with("127."))
        return std::nullopt;
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (error != std::errc() || end != port.data() + port.size() || address.port == 0)
        return std::nullopt;
    return address;
}

} // namespace ringmaster::diagnose
