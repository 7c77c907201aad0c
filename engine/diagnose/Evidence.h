#pragma once

#include "engine/diagnose/RankView.h"

namespace ringmaster::diagnose {

/// "operation", "number" and "group" of a statement.
Parameters namesOf(const Operation& operation, const GroupKey& group);
/// "since" and "seconds" of a statement that goes on (see frozenAt()).
Parameters since(std::int64_t sinceNs, std::int64_t nowNs);
/// "all_reduce", or what a custom operation calls itself.
std::string nameOf(const Operation& operation);
/// "float32, 1000 elements"; "no data"
std::string dataText(const Operation& operation);

/// Where a rank stands by its ledger: in an operation, or after which.
Message placeOf(const RankView& view, std::int64_t nowNs);
/// The same without its name, and how long it has been there; code::None: not recorded.
Message operationOf(const RankTrack& track, std::int64_t nowNs);
/// For how long it has been in its oldest operation, or was in the last, which then failed; 0:
/// neither.
std::int64_t waitedNs(const RankTrack& track, std::int64_t nowNs);
/// Where it was when it ended.
Message lastPlaceOf(const RankTrack& track, int rank);

/// Where ranks called an operation, place by place: "Ranks 0-2 called …"; of a few places.
std::vector<Message> callsOf(const std::vector<int>& of, const std::vector<RankView>& ranks,
                             const GroupKey& group, const Operation& like);

/// By its ledger, by the system and by its stack, of a few of the ranks.
std::vector<Message> evidenceOf(const std::vector<int>& of, const std::vector<RankView>& ranks,
                                std::int64_t nowNs);

} // namespace ringmaster::diagnose
