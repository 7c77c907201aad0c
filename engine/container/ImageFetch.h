#pragma once

#include "engine/base/ChildCommand.h"
#include "engine/container/ContainerImage.h"
#include "engine/container/FetchProgress.h"
#include "engine/event/Event.h"
#include "engine/job/JobSpec.h"
#include "engine/job/WorkerEnvironment.h"

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace ringmaster {

/// Brings the images of a job to this machine, one after the other, before any worker needs them.
/// Destroyed, it asks the engine to end. Lives on the loop.
class ImageFetch
{
public:
    using Tell = std::function<void(const Notice&)>;
    using Done = std::function<void(const Result<void>&)>;

    struct Setting
    {
        JobSpec spec{};
        EnvironmentMap environment{};          ///< The agent's own.
        std::chrono::milliseconds pace{2'000}; ///< Between two words about the progress.
        /// Where another fetch uses the engine's storage: when to try again, and for how long.
        std::chrono::milliseconds retryDelay{1'000};
        std::chrono::milliseconds storagePatience{std::chrono::minutes(10)};
    };

    ImageFetch(EventLoop& loop, Setting setting, Tell tell)
        : m_loop(loop), m_setting(std::move(setting)), m_tell(std::move(tell))
    {
    }

    /// `done` comes once, on the loop, never inside the call; not when this is destroyed before.
    void start(Done done);

private:
    void next();
    void look(const ContainerImage& image);
    void looked(const ContainerImage& image, const ChildCommand::Outcome& outcome);
    void fetch(const ContainerImage& image);
    void runEngine(const ContainerImage& image);
    void fetched(const ContainerImage& image, const ChildCommand::Outcome& outcome);
    void fetchAgain(const ContainerImage& image);
    void tellProgress(const ContainerImage& image);
    void ask(std::vector<std::string> command,
             std::function<void(const ChildCommand::Outcome&)> then);
    void finish(const Result<void>& result);
    void tell(Code code, const ContainerImage& image, Parameters more = {},
              Notice::Severity severity = Notice::Severity::Info);
    std::string secondsSoFar() const;
    std::vector<std::string> environment() const;

    EventLoop& m_loop;
    const Setting m_setting;
    const Tell m_tell;
    Done m_done;
    std::vector<ContainerImage> m_images; ///< Those that are left.
    std::unique_ptr<ChildCommand> m_child;
    FetchProgress m_progress;
    std::chrono::steady_clock::time_point m_startedAt{};
    bool m_isInUseTold = false; ///< That another fetch uses the storage.
    EventLoop::Registration m_next;
    EventLoop::Registration m_again;
};

/// Some role of the job has one.
bool needsImages(const JobSpec& spec);

} // namespace ringmaster
