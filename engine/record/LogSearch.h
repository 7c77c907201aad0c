#pragma once

#include "engine/base/Result.h"
#include "engine/record/LogScanner.h"

#include <atomic>

namespace ringmaster {

/// What a search has found since it was asked last.
struct LogSearchPage
{
    std::vector<LogPlace> places{};
    std::vector<std::string> texts{}; ///< As they are shown, one a place, where they are wanted.
    std::uint64_t matches = 0;        ///< In all, by now.
    double part = 0;                  ///< Of what there is, searched by now: 0 to 1.
    bool isAtEnd = false;             ///< All that there is by now.
    std::vector<Message> problems{};  ///< A log file that can't be read; each once.
};

/// A search through all that the workers of a run have printed, a part after the other, so that
/// who asks can show the first lines soon, stop, and, at the end, ask again for what came since.
/// One thread at a time, but for cancel().
class LogSearch
{
public:
    struct Query
    {
        LogFilter filter{};
        std::vector<int> ranks{}; ///< Further than the filter; empty: all.
        int attempt = -1;         ///< -1: all.
        std::optional<Stream> stream{};
        size_t linesAround = 0;
        bool wantsTexts = false;
    };

    using Read = std::function<Result<LogPage>(const LogQuery&)>;

    explicit LogSearch(Query query);

    /// Of a search that is done elsewhere: what is asked there, and how many places have come.
    const Query& query() const { return m_query; }
    std::uint64_t told() const { return m_told; }
    bool isCancelled() const { return m_isCancelled; }
    /// A part came from there; where it was begun anew, its count begins anew, too.
    void take(LogSearchPage& page);

    /// Searches at least `bytes` more, where there is so much. `isOver`: no more can come, a line
    /// without an end is one.
    Result<LogSearchPage> advance(const Read& read, size_t bytes, bool isOver);

    /// advance() returns soon, from whichever thread.
    void cancel() { m_isCancelled = true; }

private:
    void add(std::vector<LogScanner::Found> found, LogSearchPage& page);

    const Query m_query;
    std::uint64_t m_told = 0;
    std::uint64_t m_toldMatches = 0;
    LogScanner m_scanner;
    LogQuery m_next{};
    std::vector<Message> m_problems; ///< Those that have been said.
    std::atomic<bool> m_isCancelled{false};
};

} // namespace ringmaster
