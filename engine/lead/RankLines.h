#pragma once

#include "engine/base/Console.h"
#include "engine/record/LogPage.h"

#include <map>
#include <string>
#include <tuple>

namespace ringmaster {

/// The output of several ranks on this process's streams: whole lines behind "[rank3]: ", so that
/// those of several don't run together. One thread's, but for isBehind().
class RankLines
{
public:
    explicit RankLines(Consoles consoles) : m_consoles(consoles) {}

    void show(const LogChunk& chunk);
    /// Shows what has no end yet of the attempts before.
    void finishBefore(int attempt);
    /// The same of all.
    void finish();

    /// Somebody reads, and is behind. Any thread.
    bool isBehind() const;

private:
    using Key = std::tuple<int, int, Stream>; ///< Attempt and rank.
    using Rests = std::map<Key, std::string>;

    Console* consoleOf(Stream stream) const;
    void showRests(Rests::iterator until);

    Consoles m_consoles;
    Rests m_rests; ///< Of lines that aren't whole yet.
};

} // namespace ringmaster
