#pragma once

#include <span>
#include <string_view>

namespace ringmaster::test {

/// A program of tests/node/programs/faults or programs/healthy, and what is to be said of it.
struct ForeignProgram
{
    const char* file;
    const char* name;
    /// On standard error; then a user presses Ctrl+C. Empty: it runs to its own end.
    std::string_view said;
    /// "hang HangIdle 2": all that is ever judged, and what stands at the end. Empty: nothing, the
    /// cause tells it.
    std::string_view judgement;
    /// How its code begins at the end, or one of several ("A|B"); null: that of the judgement.
    const char* cause;
    /// Who waits and for whom is told, and no more: it can't be known.
    bool isUnsure = false;
    int ranks = 3;
    const char* backend = "gloo";
    bool isHealthy = false;
    /// Where two are true: the other one. Either stands at the end, or both. Empty: there is none.
    std::string_view otherJudgement{};
};

std::span<const ForeignProgram> foreignPrograms();

/// What CI has the time for; RINGMASTER_FAULT=all takes all, =faulty or =healthy all of a kind, a
/// name one of them.
bool isWanted(const ForeignProgram& program);

} // namespace ringmaster::test
