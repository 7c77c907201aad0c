#pragma once

#include "engine/rendezvous/Rendezvous.h"

namespace ringmaster {

/// torchelastic's rank assignment: each node says what it brings, and from all offers in the order
/// of the group ranks follows the place of each role on each node. Pure.
std::vector<Round::RolePlace> placesOf(const std::vector<NodeOffer>& offers, int groupRank);
int worldSizeOf(const std::vector<NodeOffer>& offers);

/// `role_info/<rank>` as torchrun writes it; with several roles one more member, which torchrun
/// ignores.
std::string roleInfoText(const NodeOffer& offer, int groupRank);
Result<NodeOffer> offerFromRoleInfo(const std::string& text);

/// `assigned_ranks/<rank>`: [base global rank, world size, base role rank, role world size] of the
/// first role.
std::string assignedRanksText(const std::vector<NodeOffer>& offers, int groupRank);
Result<int> assignedWorldSize(const std::string& assignedRanks);

} // namespace ringmaster
