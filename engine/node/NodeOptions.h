#pragma once

#include "engine/base/Codes.h"
#include "engine/base/Console.h"
#include "engine/base/Environment.h"
#include "engine/base/FileDescriptor.h"
#include "engine/event/LeadCommands.h"
#include "engine/job/JobSpec.h"
#include "engine/node/DrillPlan.h"
#include "engine/record/RunCatalog.h"
#include "engine/worker/warm/WarmRequest.h"

#include <filesystem>
#include <optional>
#include <string>

namespace ringmaster {

/// Makes a run a lesson: its program is traced line by line.
struct LessonOptions
{
    std::filesystem::path program{};
    std::string pack{};  ///< Text of the `.ringlesson`; empty: none.
    bool isHeld = false; ///< At the step gate, from the first line on.
};

/// What an agent process is started with.
struct NodeOptions
{
    /// Two pipes over which the control service is offered as well, as over ssh.
    struct Channel
    {
        FileDescriptor input{};
        FileDescriptor output{};
        bool isBegun = false; ///< The agent's sentinel has been said.
    };

    JobSpec spec{};
    std::string torchrunLine{};                   ///< What the user typed, or would have.
    std::filesystem::path workingFolder{};        ///< Launched from here.
    EnvironmentMap environment{};                 ///< The agent's own.
    std::string interpreter{};                    ///< For roles without one.
    std::string torchVersion{};                   ///< Of the workers; empty: unknown.
    bool isDetached = false;                      ///< No terminal: nothing is shown.
    Consoles consoles{};                          ///< Where the workers' output is shown.
    bool ignoreHangup = false;                    ///< Started by nohup.
    Result<WarmSettings> warm = fail(code::None); ///< An error: why starts are cold.
    std::optional<Channel> channel{};
    std::optional<AgentLaunchRequest>
        order{}; ///< Of the lead that started it; nothing: it has none.
    std::optional<LessonOptions> lesson{};
    std::optional<DrillPlan> drill{}; ///< That the run has to come back from.
    std::filesystem::path runs{};     ///< Empty: runsFolder().
    /// Of a lead: the run, whose lead is gone, that it goes on with; empty: a new one.
    std::string takesOver{};
    RunCatalog::Retention retention{};
};

} // namespace ringmaster
