#include "engine/rendezvous/RoundExchange.h"

#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/RankExchange.h"
#include "engine/rendezvous/State.h"

#include <charconv>

namespace ringmaster {

namespace {

const std::string MasterAddress = "MASTER_ADDR";
const std::string MasterPort = "MASTER_PORT";
const std::string RoleInfo = "torchelastic/role_info/";
const std::string AssignedRanks = "torchelastic/assigned_ranks/";
const std::string FinishedNodes = "torchelastic/agent/terminal_state/num_members";
const std::string LastNode = "torchelastic/agent/terminal_state/last_member";
const std::string GivenUpNodes = "ringmaster/given_up";

} // namespace

std::string prefixOfRound(const std::string& runId, std::int64_t round)
{
    return std::string(RunKeyPrefix) + runId + "." + std::to_string(round);
}

RoundExchange::RoundExchange(std::string prefix, Store& store, Store::Duration timeout)
    : m_store(std::move(prefix), store), m_timeout(timeout)
{
}

void RoundExchange::publishMaster(const Master& master, Store::Callback<void> done)
{
    m_store.multiSet({{MasterAddress, master.address}, {MasterPort, std::to_string(master.port)}},
                     std::move(done));
}

void RoundExchange::readMaster(Store::Duration timeout, Store::Callback<Master> done)
{
    m_store.multiGet(
        {MasterAddress, MasterPort}, timeout,
        [done = std::move(done)](Result<std::vector<std::string>> values) -> void {
            if (!values)
                return done(tl::unexpected(std::move(values).error()));
            Master master{.address = values->at(0)};
            const std::string& port = values->at(1);
            std::from_chars(port.data(), port.data() + port.size(), master.port);
            if (master.port <= 0 || master.port > 65'535)
                return done(fail(code::RendezvousStateRefused, {}, "MASTER_PORT isn't a port"));
            done(std::move(master));
        });
}

void RoundExchange::offerMaster(const Master& master, Store::Callback<void> done)
{
    m_store.compareSet(
        MasterAddress, "", master.address,
        [this, master, done = std::move(done)](const Result<std::string>& address) -> void {
            if (!address)
                return done(tl::unexpected(address.error()));
            if (*address != master.address) // the port is its host's to say
                return done({});
            m_store.compareSet(MasterPort, "", std::to_string(master.port),
                               [done](const Result<std::string>& stored) {
                                   done(stored ? Result<void>() : tl::unexpected(stored.error()));
                               });
        });
}

void RoundExchange::findMaster(Store::Callback<std::optional<Master>> done)
{
    m_store.check({MasterAddress, MasterPort},
                  [this, done = std::move(done)](const Result<bool>& present) -> void {
                      if (!present)
                          return done(tl::unexpected(present.error()));
                      if (!*present)
                          return done(std::optional<Master>());
                      readMaster(m_timeout, [done](Result<Master> master) {
                          done(master ? Result<std::optional<Master>>(*std::move(master))
                                      : tl::unexpected(std::move(master).error()));
                      });
                  });
}

void RoundExchange::exchange(const Member& member, Store::Callback<std::vector<NodeOffer>> done)
{
    m_store.set(RoleInfo + std::to_string(member.groupRank),
                roleInfoText(member.offer, member.groupRank),
                [this, member, done = std::move(done)](const Result<void>& stored) -> void {
                    if (!stored)
                        return done(tl::unexpected(stored.error()));
                    collectOffers(member, done);
                });
}

void RoundExchange::collectOffers(const Member& member,
                                  const Store::Callback<std::vector<NodeOffer>>& done)
{
    std::vector<std::string> keys;
    keys.reserve(static_cast<std::size_t>(member.groupWorldSize));
    for (int node = 0; node < member.groupWorldSize; ++node)
        keys.push_back(RoleInfo + std::to_string(node));
    m_store.multiGet(std::move(keys), m_timeout,
                     [done](Result<std::vector<std::string>> texts) -> void {
                         if (!texts)
                             return done(tl::unexpected(std::move(texts).error()));
                         std::vector<NodeOffer> offers;
                         for (const std::string& text : *texts) {
                             auto offer = offerFromRoleInfo(text);
                             if (!offer)
                                 return done(tl::unexpected(std::move(offer).error()));
                             offers.push_back(*std::move(offer));
                         }
                         done(std::move(offers));
                     });
}

void RoundExchange::assignRanks(const std::vector<NodeOffer>& offers, Store::Callback<void> done)
{
    Store::Entries entries;
    for (size_t node = 0; node < offers.size(); ++node)
        entries.emplace_back(AssignedRanks + std::to_string(node),
                             assignedRanksText(offers, static_cast<int>(node)));
    m_store.multiSet(std::move(entries), std::move(done));
}

void RoundExchange::readWorldSize(int groupRank, Store::Callback<int> done)
{
    m_store.get(AssignedRanks + std::to_string(groupRank), m_timeout,
                [done = std::move(done)](const Result<std::string>& text) {
                    done(text ? assignedWorldSize(*text) : tl::unexpected(text.error()));
                });
}

void RoundExchange::enterExitBarrier(int groupWorldSize, Store::Duration timeout,
                                     Store::Callback<void> done)
{
    m_store.add(FinishedNodes, 1,
                [this, groupWorldSize, timeout,
                 done = std::move(done)](const Result<std::int64_t>& finished) -> void {
                    if (!finished)
                        return done(tl::unexpected(finished.error()));
                    if (*finished == groupWorldSize)
                        return m_store.set(LastNode, "<val_ignored>", done);
                    m_store.wait({LastNode}, timeout, done);
                });
}

void RoundExchange::countFinished(Store::Callback<std::int64_t> done)
{
    m_store.add(FinishedNodes, 0, std::move(done));
}

void RoundExchange::giveUp(Store::Callback<void> done)
{
    m_store.add(GivenUpNodes, 1, [done = std::move(done)](const Result<std::int64_t>& count) {
        done(count ? Result<void>() : tl::unexpected(count.error()));
    });
}

void RoundExchange::countGivenUp(Store::Callback<std::int64_t> done)
{
    m_store.add(GivenUpNodes, 0, std::move(done));
}

} // namespace ringmaster
