#pragma once

#include "engine/record/LogSearch.h"

#include <deque>
#include <list>
#include <memory>
#include <string>

namespace ringmaster {

/// The searches through logs that somebody at another machine has begun. Who asks says how many
/// places have come: a search that isn't here any more, or that an answer was lost of, begins anew
/// and leaves those out. Bounded. Pure; one thread.
class ServedSearches
{
public:
    static constexpr size_t MostSearches = 4;
    static constexpr size_t MostPlacesAtOnce = 2048;
    /// More are counted, not told.
    static constexpr std::uint64_t MostPlaces = 200'000;

    class Served
    {
    public:
        Served(std::string key, std::uint64_t told, LogSearch::Query query)
            : m_key(std::move(key))
            , m_told(told)
            , m_skip(told)
            , m_search(std::make_shared<LogSearch>(std::move(query)))
        {
        }

        const std::shared_ptr<LogSearch>& search() const { return m_search; }
        /// Has found more than has been told: nothing needs to be searched for the next part.
        bool hasMore() const { return !m_waiting.empty(); }
        LogSearchPage next();
        /// What the search has found.
        void take(LogSearchPage page);

    private:
        friend ServedSearches;

        std::string m_key;
        std::uint64_t m_told;
        std::uint64_t m_skip; ///< Of what comes: it has been told.
        std::shared_ptr<LogSearch> m_search;
        std::deque<LogPlace> m_waiting;
        LogSearchPage m_last; ///< Without its places.
        bool m_isBusy = false;
    };

    /// `key` tells one question from another. Nobody else gets it until it is given back.
    std::shared_ptr<Served> lend(const std::string& key, std::uint64_t told,
                                 const LogSearch::Query& query);
    void giveBack(const std::shared_ptr<Served>& served) { served->m_isBusy = false; }
    void forget(const std::shared_ptr<Served>& served) { m_searches.remove(served); }

private:
    std::list<std::shared_ptr<Served>> m_searches; ///< The one that was asked for last in front.
};

} // namespace ringmaster
