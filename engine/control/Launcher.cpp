#include "engine/control/Launcher.h"

#include "engine/base/Paths.h"
#include "engine/base/SignalName.h"
#include "engine/control/Codes.h"
#include "engine/control/LocalCluster.h"
#include "engine/job/JobFile.h"

#include <cstdlib>

#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

std::string trimmed(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

} // namespace

Result<fs::path> commandExecutable()
{
    const fs::path beside = executableFolder() / "ringmaster";
    if (::access(beside.c_str(), X_OK) == 0)
        return beside;
    const char* path = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    std::string_view folders = path != nullptr ? path : "";
    while (!folders.empty()) {
        const size_t colon = std::min(folders.find(':'), folders.size());
        const fs::path candidate = fs::path(folders.substr(0, colon)) / "ringmaster";
        if (::access(candidate.c_str(), X_OK) == 0)
            return candidate;
        folders.remove_prefix(std::min(colon + 1, folders.size()));
    }
    return fail(code::NoCommandProgram, {{"path", beside.string()}});
}

void Launcher::launch(const JobSpec& spec, const Cluster::LaunchOptions& options,
                      const Once<std::string>& answer)
{
    auto command = commandFor(spec, options);
    if (!command) {
        answer(tl::unexpected(command.error()));
        return;
    }
    m_children.start(*std::move(command),
                     [this, answer](const Result<ChildCommand::Outcome>& outcome) {
                         answer(outcome ? runOf(*outcome) : tl::unexpected(outcome.error()));
                     });
}

Result<ChildCommand::Options> Launcher::commandFor(const JobSpec& spec,
                                                   const Cluster::LaunchOptions& options) const
{
    const fs::path command = m_command.empty() ? RM_TRY(commandExecutable()) : m_command;
    ChildCommand::Options child{.arguments = {command.string(), "run", "--detach"},
                                .workingFolder = options.workingFolder,
                                .patience = m_patience};
    child.input = RM_TRY(jobFileText(spec));
    child.arguments.insert(child.arguments.end(), options.arguments.begin(),
                           options.arguments.end());
    child.arguments.emplace_back("--job-from-stdin");
    return child;
}

Result<std::string> Launcher::runOf(const ChildCommand::Outcome& outcome) const
{
    if (outcome.wasTooSlow)
        return fail(code::LaunchSilent,
                    {{"seconds",
                      std::to_string(
                          std::chrono::duration_cast<std::chrono::seconds>(m_patience).count())}},
                    trimmed(outcome.error));
    if (outcome.exitCode != 0)
        return fail(code::LaunchEnded, {{"status", exitText(outcome.exitCode)}},
                    trimmed(outcome.error));
    return trimmed(outcome.output);
}

} // namespace ringmaster
