#include "engine/collective/ring/Group.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/collective/Codes.h"
#include "engine/collective/ring/GroupMember.h"

#include <algorithm>
#include <charconv>

#include <sched.h>

namespace ringmaster::ring {

namespace {

/// How often to look before sleeping: about as long as waking somebody takes. Never when ranks have
/// to share processors, since the one that is waited for may need this one.
int spinsFor(bool sharesProcessors)
{
    constexpr int Spins = 400;
    return sharesProcessors ? 0 : Spins;
}

bool sharesProcessors(size_t localRanks)
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
        return true;
    return localRanks > static_cast<size_t>(CPU_COUNT(&allowed));
}

Result<Secret> shareSecret(KeyValue& store, int rank, Deadline deadline)
{
    if (rank == 0)
        RM_TRY(store.set("secret", randomToken(Secret{}.size())));
    const std::string text = RM_TRY(store.get("secret", deadline));
    Secret secret{};
    if (text.size() != secret.size())
        return fail(code::MalformedMessage, {{"what", "secret of a group"}});
    std::copy(text.begin(), text.end(), secret.begin());
    return secret;
}

/// Which ranks are where.
Result<std::vector<std::string>> hostsOf(KeyValue& store, const Group::Options& options,
                                         Deadline deadline)
{
    RM_TRY(store.set("host/" + std::to_string(options.rank),
                     options.host.empty() ? hostIdentity() : options.host));
    std::vector<std::string> hosts;
    for (int rank = 0; rank < options.size; ++rank) {
        auto host = store.get("host/" + std::to_string(rank), deadline);
        if (!host && host.error().code == code::TimedOut)
            return fail(code::GroupJoinTimedOut, {{"rank", std::to_string(rank)}});
        hosts.push_back(RM_TRY(std::move(host)));
    }
    return hosts;
}

Result<GroupMember::Parts> meet(KeyValue& store, const Group::Options& options, Deadline deadline)
{
    const auto hosts = RM_TRY(hostsOf(store, options, deadline));
    Team::Place place{options.rank, options.size, 0, {}, 0, true};
    NetworkPlace network{options.rank, {}, options.interface, {}};
    for (int rank = 0; rank < options.size; ++rank) {
        const bool isLocal =
            hosts[static_cast<size_t>(rank)] == hosts[static_cast<size_t>(options.rank)];
        if (rank == options.rank)
            place.localRank = static_cast<int>(place.locals.size());
        (isLocal ? place.locals : network.peers).push_back(rank);
    }
    place.sharesProcessors = sharesProcessors(place.locals.size());
    place.spins = spinsFor(place.sharesProcessors);
    LocalPeers locals = RM_TRY(meetLocalPeers(store, place.localRank, place.locals, deadline));
    std::vector<NetworkPeer> remotes;
    if (!network.peers.empty()) {
        network.secret = RM_TRY(shareSecret(store, options.rank, deadline));
        remotes = RM_TRY(meetNetworkPeers(store, network, deadline));
    }
    return GroupMember::Parts{std::move(place), std::move(locals), std::move(remotes),
                              options.watch};
}

int culpritOf(const Error& error, int otherwise)
{
    const auto found = error.parameters.find("rank");
    int rank = otherwise;
    if (found != error.parameters.end())
        std::from_chars(found->second.data(), found->second.data() + found->second.size(), rank);
    return rank;
}

} // namespace

Result<std::unique_ptr<Group>> Group::join(KeyValue& store, const Options& options)
{
    if (options.rank < 0 || options.rank >= options.size)
        return fail(code::CollectiveRankInvalid, {{"operation", "join"},
                                                  {"rank", std::to_string(options.rank)},
                                                  {"size", std::to_string(options.size)}});
    auto parts = meet(store, options, Deadline::clock::now() + options.joinTime);
    if (!parts) {
        Error error = std::move(parts).error();
        if (error.code == code::TimedOut || error.code == code::GroupJoinTimedOut)
            error.parameters["seconds"] = std::to_string(
                std::chrono::duration_cast<std::chrono::seconds>(options.joinTime).count());
        return tl::unexpected(std::move(error));
    }
    if (!parts->watch)
        parts->watch = RM_TRY(Watch::start());
    auto member = std::make_unique<GroupMember>(*std::move(parts), options.observer);
    RM_TRY(member->start());
    return std::unique_ptr<Group>(new Group(std::move(member)));
}

Group::Group(std::unique_ptr<GroupMember> member) : m_member(std::move(member)) {}

Group::~Group()
{
    // A forked process has none of the threads, and its parent is still in the group.
    if (!m_member->isOwner())
        (void)m_member.release();
}

int Group::rank() const
{
    return m_member->place().rank;
}

int Group::size() const
{
    return m_member->place().size;
}

Result<void> Group::checkOwner() const
{
    if (m_member->isOwner())
        return {};
    return fail(code::GroupOfParentProcess, {{"rank", std::to_string(rank())}});
}

std::unique_lock<std::mutex> Group::takeTurn()
{
    std::unique_lock<std::mutex> turn(m_member->turn(), std::try_to_lock);
    // In a forked process nobody gives the turn back that another thread had.
    if (!turn.owns_lock() && m_member->isOwner())
        turn.lock();
    return turn;
}

Collectives& Group::collectives()
{
    return m_member->collectives();
}

Result<void> Group::checkUsable(std::uint64_t sequence) const
{
    RM_TRY(checkOwner());
    if (m_member->alarm().isRaised(sequence))
        return tl::unexpected(errorOf(m_member->alarm().record(), "the operation"));
    return {};
}

Result<void> Group::checkPeer(const char* operation, int peer) const
{
    RM_TRY(checkOwner());
    if (peer < 0 || peer >= size() || peer == rank())
        return fail(code::CollectiveRankInvalid, {{"operation", operation},
                                                  {"rank", std::to_string(peer)},
                                                  {"size", std::to_string(size())}});
    return {};
}

void Group::giveUp(const Error& error, std::uint64_t sequence)
{
    m_member->giveUp(culpritOf(error, rank()), error, sequence);
}

void Group::abort(const Error& reason)
{
    // What a forked process gives up, its parent still uses.
    if (m_member->isOwner())
        giveUp(reason, 0);
}

void Group::send(int to, std::uint32_t tag, ConstBytes data, Deadline deadline, Done done)
{
    if (const auto checked = checkPeer("send", to); !checked)
        done(tl::unexpected(checked.error()));
    else
        m_member->messages().send(to, tag, data, deadline, std::move(done));
}

void Group::receive(int from, std::uint32_t tag, Bytes data, Deadline deadline, Done done)
{
    if (const auto checked = checkPeer("recv", from); !checked)
        done(tl::unexpected(checked.error()));
    else
        m_member->messages().receive(from, tag, data, deadline, std::move(done));
}

void Group::receiveFromAny(std::uint32_t tag, Bytes data, Deadline deadline, Done done)
{
    if (const auto checked = checkOwner(); !checked)
        done(tl::unexpected(checked.error()));
    else
        m_member->messages().receive(AnyRank, tag, data, deadline, std::move(done));
}

} // namespace ringmaster::ring
