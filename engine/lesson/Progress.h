#pragma once

#include "engine/base/Result.h"

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ringmaster::lesson {

/// How far a learner has come, kept in the state folder. A file that can't be read is no progress;
/// what is known is never taken back.
class Progress
{
public:
    using Change = std::function<void(Progress&)>;

    /// Reads `file`; empty: `lessons.json` in the state folder.
    static Progress load(std::filesystem::path file = {});
    /// Writes the file with this change of what is in it by now, which becomes this progress: what
    /// others have written meanwhile stays. Waits for who is writing.
    Result<void> change(const Change& apply);

    void ran(const std::string& lesson) { m_lessons[lesson].hasRun = true; }
    void answered(const std::string& lesson, size_t question, bool isRight);
    void solved(const std::string& lesson, size_t task) { m_lessons[lesson].tasks.insert(task); }

    /// Lessons of which something is known, by name.
    std::vector<std::string> lessons() const;
    bool hasRun(const std::string& lesson) const;
    bool isAnswered(const std::string& lesson, size_t question) const;
    bool isSolved(const std::string& lesson, size_t task) const;
    /// Answers that were given, and questions that were answered rightly at last.
    size_t attempts(const std::string& lesson) const;
    size_t right(const std::string& lesson) const;
    size_t solvedTasks(const std::string& lesson) const;
    /// It was run, and all of its questions have been answered rightly.
    bool isDone(const std::string& lesson, size_t questions) const;

    bool operator==(const Progress&) const = default;

private:
    struct Lesson
    {
        bool hasRun = false;
        std::set<size_t> questions{}; ///< Answered rightly, once at least.
        std::set<size_t> tasks{};
        size_t attempts = 0; ///< Answers, right and wrong.

        bool operator==(const Lesson&) const = default;
    };
    /// Of what is in the file; nothing is known where that is no JSON.
    static Progress of(std::filesystem::path file, const std::string& text);
    Result<void> write() const;
    const Lesson* find(const std::string& lesson) const;

    std::filesystem::path m_file;
    std::map<std::string, Lesson> m_lessons;
};

} // namespace ringmaster::lesson
