#pragma once

#include "engine/base/Codes.h"
#include "engine/collective/ring/Group.h"
#include "tests/collective/Stores.h"

#include <QString>

#include <functional>
#include <future>
#include <thread>
#include <vector>

namespace ringmaster::ring::testing {

using Buffer = std::vector<std::byte>;

inline Deadline in(std::chrono::milliseconds time)
{
    return Deadline::clock::now() + time;
}

/// How a test's ranks are spread: "aabb" is two hosts with two ranks each.
struct Spread
{
    const char* hosts;
    int size() const { return static_cast<int>(std::string_view(hosts).size()); }
};

inline Group::Options optionsFor(const Spread& spread, int rank)
{
    Group::Options options;
    options.rank = rank;
    options.size = spread.size();
    options.host = std::string(1, spread.hosts[rank]);
    options.interface = "127.0.0.1";
    options.joinTime = std::chrono::seconds(30);
    return options;
}

/// Runs a rank in each thread, from joining to leaving; what became of each.
inline std::vector<Result<void>> runRanks(KeyValue& store, const Spread& spread,
                                          const std::function<Result<void>(Group&)>& work)
{
    std::vector<Result<void>> results(static_cast<size_t>(spread.size()));
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < spread.size(); ++rank) {
        threads.emplace_back([&, rank] {
            auto group = Group::join(store, optionsFor(spread, rank));
            results[static_cast<size_t>(rank)] =
                group ? work(**group) : tl::unexpected(group.error());
        });
    }
    threads.clear();
    return results;
}

/// The first thing that went wrong.
inline QString runGroup(const Spread& spread, const std::function<Result<void>(Group&)>& work)
{
    MemoryStore store;
    for (const auto& result : runRanks(store, spread, work)) {
        if (!result)
            return QString::fromStdString(describe(result.error()));
    }
    return {};
}

inline Result<int> send(Group& group, int to, std::uint32_t tag, ConstBytes data, Deadline deadline)
{
    std::promise<Result<int>> done;
    group.send(to, tag, data, deadline,
               [&](Result<int> result) { done.set_value(std::move(result)); });
    return done.get_future().get();
}

inline Result<int> receive(Group& group, int from, std::uint32_t tag, Bytes data, Deadline deadline)
{
    std::promise<Result<int>> done;
    const auto finish = [&](Result<int> result) { done.set_value(std::move(result)); };
    if (from < 0)
        group.receiveFromAny(tag, data, deadline, finish);
    else
        group.receive(from, tag, data, deadline, finish);
    return done.get_future().get();
}

inline Result<void> wrong(const std::string& what)
{
    return fail(code::InternalError, {{"what", what}});
}

} // namespace ringmaster::ring::testing
