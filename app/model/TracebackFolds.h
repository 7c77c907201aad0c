#pragma once

#include "app/model/LogBuffer.h"

#include <map>
#include <set>
#include <string>
#include <utility>

namespace ringmaster::app {

/// Finds the Python tracebacks in a log in which many ranks are mixed: those that several ranks
/// printed alike in one attempt are shown once, the first; the lines of the others are hidden.
/// Alike: the same frames and the same exception, but for its numbers (a rank, a port). Pure.
class TracebackFolds
{
public:
    using LineId = LogBuffer::LineId;

    struct Fold
    {
        std::string group{};
        std::vector<int> ranks{}; ///< Ascending; the one that is shown is one of them.
        bool numbersDiffer = false;
        bool isUnfolded = false;
    };

    /// A line that has ended; each once, those of a worker in their order.
    void add(LineId id, const LogLine& line);
    /// What was unfolded stays it when it comes again.
    void clear();

    bool hides(LineId id) const { return m_hidden.contains(id); }
    /// By the first line of the traceback that is shown; null: none begins there.
    const Fold* foldAt(LineId first) const;
    void setUnfolded(LineId first, bool isUnfolded);
    /// Unfolds the traceback that hides this line.
    void reveal(LineId id);
    /// Whether other lines are hidden, or other tracebacks folded, than at the last call.
    bool takeChanged() { return std::exchange(m_isChanged, false); }

private:
    using Worker = std::tuple<int, int, Stream>; ///< attempt, rank, stream

    struct Traceback
    {
        int rank = 0;
        std::vector<LineId> lines{};
        std::string frames{};
        std::string exception{};
        std::string alike{}; ///< The same in all that are alike; empty: it hasn't ended.
        int repetition = 0;  ///< Which of its rank's that are alike; from 0.
        bool isHidden = false;

        std::string group() const { return std::to_string(repetition) + ' ' + alike; }
    };

    /// How often a rank has printed one alike.
    struct Repetitions
    {
        int next = 0;
        std::set<int> left{}; ///< Below `next`, of those that went on and are another one now.
    };

    struct Reading
    {
        enum class State { Outside, InFrames, AfterException } state = State::Outside;
        size_t traceback = 0;
        std::string gap{}; ///< Between an exception and another that came of it.
        std::vector<LineId> gapLines{};
    };

    using Group = std::vector<size_t>; ///< Of tracebacks, the first one in front.

    void begin(Reading& reading, LineId id, const LogLine& line);
    void goOn(Reading& reading, LineId id, std::string_view text, const LogLine& line);
    void afterException(Reading& reading, LineId id, std::string_view text, const LogLine& line);
    void join(size_t traceback, const LogLine& line);
    void leave(size_t traceback);
    void show(const std::string& group);

    std::vector<Traceback> m_tracebacks;
    std::map<Worker, Reading> m_readings;
    std::map<std::string, Group> m_groups;
    std::map<std::pair<int, std::string>, Repetitions> m_repetitions; ///< by rank and `alike`
    std::map<LineId, Fold> m_folds;
    std::set<LineId> m_hidden;
    std::set<std::string> m_unfolded; ///< groups
    bool m_isChanged = false;
};

} // namespace ringmaster::app
