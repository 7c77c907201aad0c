#pragma once

#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"
#include "engine/lesson/RecordedJob.h"
#include "engine/text/Finding.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster::lesson {

struct Text
{
    std::string english{};
    std::string japanese{};

    /// `language` as locales name it: "ja_JP" or "ja" is Japanese, anything else English.
    const std::string& in(std::string_view language) const
    {
        return language.starts_with("ja") ? japanese : english;
    }
    bool operator==(const Text&) const = default;
};

/// What a run of the program is to come to.
enum class Outcome {
    Succeeds,  ///< Ends, with nothing to find fault with.
    Deadlocks, ///< Ranks wait for each other, or for one that has ended.
    Hazard,    ///< A buffer is touched too early.
    Disagrees, ///< The members of a collective don't call the same.
    Fails,     ///< An exception, or a worker that dies.
};

/// Asked before the learner sees what happens; the answer is computed from the recorded run of the
/// learner's own program.
struct Question
{
    enum class Kind {
        Value,     ///< What `variable` holds on `rank` once the line `at` has run.
        Blocked,   ///< Which ranks never come past the line `at`.
        BytesSent, ///< How many bytes `rank` sends in the whole run.
        Deadlock,  ///< Whether the run comes to a deadlock.
        Sender,    ///< Whose message the receive in the line `at` took on `rank`; by order of the
                   ///< gate.
        Guilty,    ///< Which ranks the verdict of a recorded job names.
    };
    Kind kind = Kind::Value;
    Text text{};
    std::string at{};   ///< Part of a program's line: the first one that has it.
    int occurrence = 1; ///< The how-maniest time that `rank` comes there.
    int rank = 0;       ///< Negative: from the last one.
    std::string variable{};
    int element = 0;
    Text because{}; ///< Shown with the answer; may be empty.
    bool operator==(const Question&) const = default;
};

/// Something to change in the program, and what is to come of it.
struct Task
{
    Text text{};
    Outcome expect = Outcome::Succeeds;
    bool operator==(const Task&) const = default;
};

/// A `.ringlesson`: texts in both languages, questions, and a program or a recorded job.
struct Pack
{
    std::string name{}; ///< "send-recv": small letters, digits, hyphens.
    int order = 0;      ///< Among the lessons; 0: at the end.
    int orderCollectivesFirst = 0;
    int ranks = 2; ///< To begin with.
    int minRanks = 2;
    int maxRanks = 8;
    std::vector<std::string> backends{"gloo"}; ///< The first to begin with; the program's BACKEND.
    std::string ringAlgorithm{};
    int maxRestarts = 0;
    std::string source{};            ///< Of the program.
    std::string programFile{};       ///< Beside the pack's text; empty: the program is in it.
    std::vector<std::string> bars{}; ///< Variables whose bytes are drawn, a bar a rank.
    std::string start{}; ///< Part of the line to which the gate lets it run first; empty: none.
    Outcome expect = Outcome::Succeeds;
    Text title{};
    Text text{};
    Text mistake{}; ///< What people get wrong.
    std::vector<Question> questions{};
    std::vector<Task> tasks{};
    std::optional<RecordedJob> recording{}; ///< Then there is no program, and nothing runs.
    bool operator==(const Pack&) const = default;
};

/// Every error at once, each with line and column.
using PackResult = tl::expected<Pack, std::vector<Finding>>;

/// `readProgram` gives the text of a file that the pack names beside itself.
using ReadProgram = std::function<Result<std::string>(const std::string& name)>;
PackResult parsePack(std::string_view text, const ReadProgram& readProgram);
/// A program that the pack in `folder` names; one outside of it is refused.
Result<std::string> readProgramBeside(const std::filesystem::path& folder, const std::string& name);

/// A lesson that is still being written: what can be read of it, and what is wrong with it.
struct PackReading
{
    Pack pack{};
    std::vector<Finding> errors{}; ///< As parsePack() has them.
    bool isToml = true;            ///< Else nothing of the pack is known.
};
PackReading readPack(std::string_view text, const ReadProgram& readProgram);

/// The pack's own text: of a folder, its lesson.toml.
std::filesystem::path packFile(const std::filesystem::path& path);
/// A file, or a folder with a lesson.toml. A program outside of its folder is refused.
PackResult loadPack(const std::filesystem::path& path);
/// The text of a loaded pack, whole: with the program in it. What LessonStarted::pack holds.
Result<std::string> packText(const std::filesystem::path& path);

/// The text of a lesson of a recorded job, as loadPack() reads it.
std::string packTextOf(const Pack& pack);

/// Whether `source` can be a program at all: text in UTF-8.
std::optional<Message> problemOfProgram(std::string_view source);
/// 1 … of the first line that has `part`; 0: none.
int lineWith(std::string_view source, std::string_view part);
/// 1 … of the first line that does something: behind the imports and the functions; 0: none.
int lineBehindImports(std::string_view source);

/// What runs `program` (a file with the learner's version of the source) as this lesson.
struct RunChoice
{
    std::filesystem::path program{};
    int ranks = 2;
    std::string backend{};
    std::string interpreter{};
};
JobSpec jobOf(const Pack& pack, const RunChoice& choice);

/// The packs that come with Ringmaster, in their order.
std::vector<std::filesystem::path> ownPacks();
std::optional<std::filesystem::path> findPack(const std::string& nameOrPath);

std::string_view nameOf(Outcome outcome);
std::string_view nameOf(Question::Kind kind);

} // namespace ringmaster::lesson
