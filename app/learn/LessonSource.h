#pragma once

#include "engine/base/Result.h"

#include <QString>

#include <filesystem>
#include <string>

namespace ringmaster::app {

/// A lesson's files as somebody writes them, and what the disk has of them. Values; the functions
/// below read and write files, and so wait for them.
struct LessonSource
{
    struct File
    {
        std::string text{};              ///< UTF-8; lines end with a line feed.
        std::string saved{};             ///< The same, as it was read or written last.
        bool hasCarriageReturns = false; ///< On disk: they are put back.

        /// As the disk has it.
        static File of(std::string text);
    };

    std::filesystem::path path{}; ///< Of the lesson's text; empty: it was never saved.
    File lesson{};
    std::string programName{}; ///< As the lesson calls it; empty: the program is in the lesson.
    File program{};
    bool isOwnWork = false; ///< Made here, of what came with Ringmaster.
};

/// A `.ringlesson`, or a folder with a lesson.toml. A lesson with errors is read, too.
Result<LessonSource> readLessonSource(const std::filesystem::path& path);

/// The same under another name, which was never saved.
LessonSource copyOf(LessonSource source);
/// With all that a lesson can have.
LessonSource newLessonSource();

/// Where it goes when it is saved as `chosen`: a lesson with a program beside it into a folder.
std::filesystem::path placeFor(const LessonSource& source, const std::filesystem::path& chosen);

struct LessonSaving
{
    bool isSaved = false;
    QString outdated{}; ///< This file isn't what it was when it was read: nothing was written.
    QString problem{};  ///< Else why it couldn't be written, with the file's name.
};

/// Each file is whole or untouched. Unless it `overwrites`, it asks first what the disk has.
LessonSaving writeLessonSource(const LessonSource& source, bool overwrites);

} // namespace ringmaster::app
