#pragma once

#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"
#include "engine/text/Finding.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// A job read from `.ringjob` text (TOML), and where in it each of its fields stands.
struct JobFile
{
    JobSpec spec{};
    std::map<std::string, Place> places{}; ///< By field: "role.workers", "restart.max".
};

/// Every error of the text at once, each with line and column; only a text that isn't TOML has one.
using JobFileResult = tl::expected<JobFile, std::vector<Finding>>;

/// Text to job; paths stay as they are written.
JobFileResult parseJobFile(std::string_view text);

/// How long the workers of a job in TOML have from SIGTERM to SIGKILL; nothing where it is none.
std::optional<std::chrono::nanoseconds> graceIn(std::string_view jobFile);

/// Job to text, as a person would write it: only what differs from the defaults, paths as they are.
/// Reading it gives the same job. Fails for text that isn't UTF-8, which TOML can't hold.
Result<std::string> jobFileText(const JobSpec& spec);

/// In a file, paths are relative to the file's folder: the program, the interpreter, the log
/// folder, and the working folder, which is the file's folder unless it is given. A loaded job runs
/// from anywhere: its working folder is absolute; its program stays as written when the workers run
/// in the file's folder, so that they see the argv[0] that the file has, and is absolute otherwise.
JobFileResult loadJobFile(const std::filesystem::path& path);

/// The reverse: `launchFolder` is what the job's own relative paths refer to. Replaces `path` in
/// one step.
Result<void> saveJobFile(const std::filesystem::path& path, const JobSpec& spec,
                         const std::filesystem::path& launchFolder);

} // namespace ringmaster
