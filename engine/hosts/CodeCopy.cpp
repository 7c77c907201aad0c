#include "engine/hosts/CodeCopy.h"

#include "engine/hosts/TransferText.h"
#include "engine/text/PythonText.h"
#include "engine/text/ShellWords.h"
#include "engine/text/TextSearch.h"

#include <charconv>

namespace ringmaster {

namespace {

constexpr int VanishedFiles = 24; ///< rsync(1)
constexpr int Stalled = 30;
constexpr const char* StallSeconds = "60";

/// rsync takes the words of --rsh apart at blanks, and knows quotes, which are doubled inside.
std::string rshWord(const std::string& word)
{
    if (word.find_first_of(" '\"") == std::string::npos)
        return word;
    std::string quoted = "'";
    for (const char c : word)
        quoted.append(c == '\'' ? 2 : 1, c);
    return quoted + "'";
}

/// The number behind "Number of regular files transferred: ".
std::uint64_t numberBehind(const std::string& output, std::string_view what)
{
    std::uint64_t number = 0;
    const size_t at = output.find(what);
    if (at != std::string::npos)
        std::from_chars(output.data() + at + what.size(), output.data() + output.size(), number);
    return number;
}

} // namespace

CodeCopy CodeCopy::of(const Host& host, const std::string& folder)
{
    return {.host = host, .folder = folder, .target = host.code.empty() ? folder : host.code};
}

Result<void> checkCopy(const CodeCopy& copy, const std::filesystem::path& home)
{
    const auto folder = std::filesystem::path(copy.folder).lexically_normal();
    const auto below = home.lexically_normal().lexically_relative(folder);
    const bool hasHome = !home.empty() && !below.empty() && *below.begin() != "..";
    if ((hasHome || folder == "/") && copy.host.exclude.empty())
        return fail(code::CopyTooMuch, {{"host", copy.host.name}, {"folder", copy.folder}});
    return {};
}

std::vector<std::string> rsyncCommand(const SshSettings& ssh, const CodeCopy& copy)
{
    std::string shell;
    for (const std::string& word : sshWords(ssh, copy.host))
        shell += (shell.empty() ? "" : " ") + rshWord(word);
    std::vector<std::string> words{
        "/usr/bin/env", "LC_ALL=C", "rsync", "--recursive", "--links", "--perms", "--times",
        "--compress", "--secluded-args", "--stats",
        // Workers of another run may use the folder: no half file under its final name.
        "--partial-dir=.rsync-partial",
        // All is counted first: the percentage is of the whole.
        "--no-inc-recursive", "--info=progress2", "--outbuf=N", "--no-human-readable",
        std::string("--timeout=") + StallSeconds, "--rsh=" + shell,
        "--rsync-path=mkdir -p " + shellQuoted(copy.target) + " && rsync"};
    for (const std::string& pattern : copy.host.exclude)
        words.push_back("--exclude=" + pattern);
    words.insert(words.end(),
                 {"--", copy.folder + "/", copy.host.sshDestination() + ":" + copy.target + "/"});
    return words;
}

std::optional<int> copiedPercent(std::string_view output)
{
    // "  1048576  42%   12.3MB/s    0:00:01", each over the one before.
    const size_t sign = output.rfind('%');
    if (sign == std::string::npos || sign == 0)
        return std::nullopt;
    // What comes may begin in the midst of a number.
    const size_t before = output.find_last_not_of("0123456789", sign - 1);
    if (before == std::string::npos || output[before] != ' ')
        return std::nullopt;
    const size_t start = before + 1;
    int percent = 0;
    const auto [end, error] = std::from_chars(output.data() + start, output.data() + sign, percent);
    if (error != std::errc{} || end != output.data() + sign || percent > 100)
        return std::nullopt;
    return percent;
}

Message codeIsComing(const CodeCopy& copy, int percent)
{
    return {code::CodeIsComing,
            {{"host", copy.host.name},
             {"folder", copy.folder},
             {"target", copy.target},
             {"percent", std::to_string(percent)}},
            {}};
}

Message codeCopied(const CodeCopy& copy, const std::string& output)
{
    const std::string excluded = join(copy.host.exclude, ", ");
    return {
        excluded.empty() ? code::CodeCopied : code::CodeCopiedWithout,
        {{"host", copy.host.name},
         {"folder", copy.folder},
         {"target", copy.target},
         {"files", std::to_string(numberBehind(output, "Number of regular files transferred: "))},
         {"size", transferText(numberBehind(output, "Total transferred file size: "))},
         {"excluded", excluded}},
        {}};
}

bool isCopied(int exitCode)
{
    return exitCode == 0 || exitCode == VanishedFiles;
}

Error copyFailure(const CodeCopy& copy, int exitCode, const std::string& said)
{
    const auto as = [&](Code code) {
        return Error{{code,
                      {{"host", copy.host.name},
                       {"folder", copy.folder},
                       {"target", copy.target},
                       {"seconds", StallSeconds},
                       // The last ones are rsync's about its own end.
                       {"reason", std::string(firstLine(said))}},
                      {}},
                     {}};
    };
    const auto says = [&said](std::string_view part) { return contains(said, part); };
    if (exitCode == 127 && says("env:"))
        return as(code::RsyncMissingHere);
    if (says("rsync: not found") || says("rsync: command not found"))
        return as(code::RsyncMissingThere);
    if (says("No space left on device") || says("Disk quota exceeded"))
        return as(code::CopyDiskFull);
    if (exitCode == 255)
        return sshFailure(copy.host, exitCode, said);
    if (says("Permission denied") || says("Read-only file system"))
        return as(code::CopyDenied);
    return as(exitCode == Stalled ? code::CopyStalled : code::CopyFailed);
}

} // namespace ringmaster
