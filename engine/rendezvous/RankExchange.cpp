#include "engine/rendezvous/RankExchange.h"

#include "engine/rendezvous/Codes.h"

#include <nlohmann/json.hpp>

namespace ringmaster {

namespace {

constexpr int MostWorkers = 1'000'000;

int workersOf(const NodeOffer& offer)
{
    int count = 0;
    for (const auto& role : offer.roles)
        count += role.workers;
    return count;
}

int workersOf(const NodeOffer& offer, const std::string& roleName)
{
    int count = 0;
    for (const auto& role : offer.roles)
        count += role.role == roleName ? role.workers : 0;
    return count;
}

} // namespace

int worldSizeOf(const std::vector<NodeOffer>& offers)
{
    int count = 0;
    for (const NodeOffer& offer : offers)
        count += workersOf(offer);
    return count;
}

std::vector<Round::RolePlace> placesOf(const std::vector<NodeOffer>& offers, int groupRank)
{
    const auto own = static_cast<size_t>(groupRank);
    int globalRank = 0;
    for (size_t node = 0; node < own; ++node)
        globalRank += workersOf(offers[node]);

    std::vector<Round::RolePlace> places;
    for (const auto& role : offers[own].roles) {
        Round::RolePlace place{.role = role.role, .globalRankBase = globalRank};
        for (size_t node = 0; node < offers.size(); ++node) {
            const int count = workersOf(offers[node], role.role);
            place.roleRankBase += node < own ? count : 0;
            place.roleWorldSize += count;
        }
        places.push_back(place);
        globalRank += role.workers;
    }
    return places;
}

std::string roleInfoText(const NodeOffer& offer, int groupRank)
{
    // An ordered object and this spacing: the text that Python's json.dumps gives.
    nlohmann::ordered_json info;
    info["role"] = offer.roles.empty() ? "default" : offer.roles.front().role;
    info["rank"] = groupRank;
    info["local_world_size"] = workersOf(offer);
    if (offer.roles.size() > 1) {
        for (const auto& role : offer.roles)
            info["ringmaster_roles"].push_back({role.role, role.workers});
    }
    return info.dump();
}

Result<NodeOffer> offerFromRoleInfo(const std::string& text)
{
    const auto refuse = [] {
        return fail(code::RendezvousStateRefused, {}, "role_info isn't understood");
    };
    const auto info = nlohmann::json::parse(text, nullptr, false);
    const auto readRole = [](const nlohmann::json& name, const nlohmann::json& count,
                             NodeOffer& offer) {
        if (!name.is_string() || !count.is_number_integer())
            return false;
        const auto workers = count.get<std::int64_t>();
        if (workers < 0 || workers > MostWorkers)
            return false;
        offer.roles.push_back({name.get<std::string>(), static_cast<int>(workers)});
        return true;
    };
    NodeOffer offer;
    if (!info.is_object())
        return refuse();
    if (const auto roles = info.find("ringmaster_roles"); roles != info.end()) {
        if (!roles->is_array())
            return refuse();
        for (const auto& role : *roles) {
            if (!role.is_array() || role.size() != 2 || !readRole(role[0], role[1], offer))
                return refuse();
        }
        return offer;
    }
    if (!info.contains("role") || !info.contains("local_world_size") ||
        !readRole(info["role"], info["local_world_size"], offer))
        return refuse();
    return offer;
}

std::string assignedRanksText(const std::vector<NodeOffer>& offers, int groupRank)
{
    const auto places = placesOf(offers, groupRank);
    const Round::RolePlace place = places.empty() ? Round::RolePlace{} : places.front();
    const nlohmann::json ranks{place.globalRankBase, worldSizeOf(offers), place.roleRankBase,
                               place.roleWorldSize};
    return ranks.dump();
}

Result<int> assignedWorldSize(const std::string& assignedRanks)
{
    const auto ranks = nlohmann::json::parse(assignedRanks, nullptr, false);
    const bool isList = ranks.is_array() && ranks.size() >= 2 && ranks[1].is_number_integer();
    const std::int64_t size = isList ? ranks[1].get<std::int64_t>() : 0;
    if (size <= 0 || size > MostWorkers)
        return fail(code::RendezvousStateRefused, {}, "assigned_ranks isn't understood");
    return static_cast<int>(size);
}

} // namespace ringmaster
