#include "engine/container/ImageFetch.h"

#include "engine/base/Environment.h"
#include "engine/base/PseudoTerminal.h"
#include "engine/container/Codes.h"
#include "engine/container/ContainerCommand.h"
#include "engine/job/ContainerEngine.h"
#include "engine/job/ContainerSpec.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto LookPatience = 60s;
constexpr auto FetchPatience = std::chrono::hours(24);
constexpr auto Grace = 2s; ///< For an engine that is asked to stop fetching.

std::string allSaid(const ChildCommand::Outcome& outcome)
{
    return outcome.error.empty() ? outcome.output : outcome.error;
}

} // namespace

bool needsImages(const JobSpec& spec)
{
    return std::ranges::any_of(spec.roles,
                               [&](const Role& role) { return !imageOf(spec, role).empty(); });
}

void ImageFetch::start(Done done)
{
    m_done = std::move(done);
    const auto [engine, program] =
        findContainerEngine(m_setting.spec.container, m_setting.environment);
    for (const Role& role : m_setting.spec.roles) {
        const std::string& image = imageOf(m_setting.spec, role);
        if (!image.empty() && engine.empty())
            return finish(containerEngineMissing(m_setting.spec.container, image));
        ContainerImage wanted{engine, program, image};
        if (!image.empty() && std::ranges::find(m_images, wanted) == m_images.end())
            m_images.push_back(std::move(wanted));
    }
    next();
}

void ImageFetch::next()
{
    if (m_images.empty())
        return finish({});
    const ContainerImage image = m_images.front();
    m_images.erase(m_images.begin());
    look(image);
}

void ImageFetch::finish(const Result<void>& result)
{
    m_next = m_loop.callAfter(0ms, [this, result] { m_done(result); });
}

void ImageFetch::look(const ContainerImage& image)
{
    std::vector<std::string> command = imageLookCommand(image);
    if (command.empty())
        return fetch(image);
    ask(std::move(command),
        [this, image](const ChildCommand::Outcome& outcome) { looked(image, outcome); });
}

void ImageFetch::looked(const ContainerImage& image, const ChildCommand::Outcome& outcome)
{
    const PullPolicy policy = pullPolicyOf(m_setting.spec.container);
    const bool isThere = outcome.exitCode == 0;
    if (!isThere) {
        const auto trouble = lookFailure(image, outcome.exitCode, allSaid(outcome));
        if (trouble)
            return finish(tl::unexpected(*trouble));
        if (policy == PullPolicy::Never)
            return finish(fail(code::ContainerImageAbsent,
                               {{"engine", image.engine}, {"image", image.image}}));
    }
    if (isThere && policy != PullPolicy::Always)
        next();
    else
        fetch(image);
}

void ImageFetch::fetch(const ContainerImage& image)
{
    if (imageFetchCommand(m_setting.spec.container, image).empty())
        return finish(
            fail(code::ContainerImageNoFile, {{"engine", image.engine}, {"image", image.image}}));
    m_startedAt = std::chrono::steady_clock::now();
    m_isInUseTold = false;
    tell(code::ContainerImageFetching, image);
    tellProgress(image);
    runEngine(image);
}

void ImageFetch::runEngine(const ContainerImage& image)
{
    m_progress = {};
    // Only on a terminal an engine says how many bytes have come.
    auto terminal = openPseudoTerminal();
    ChildCommand::Options options{
        .arguments = imageFetchCommand(m_setting.spec.container, image),
        .environment = environment(),
        .patience = FetchPatience,
        .heard = [this](std::string_view text) { m_progress.heard(text); },
        .grace = Grace};
    if (terminal) {
        const winsize size{.ws_row = 50, .ws_col = 160, .ws_xpixel = 0, .ws_ypixel = 0};
        ::ioctl(terminal->slave.get(), TIOCSWINSZ, &size);
        options.terminal = std::move(terminal->master);
        options.childsTerminal = std::move(terminal->slave);
    }
    auto child = ChildCommand::start(
        m_loop, std::move(options),
        [this, image](const ChildCommand::Outcome& outcome) { fetched(image, outcome); });
    if (!child)
        return finish(tl::unexpected(std::move(child).error()));
    m_child = *std::move(child);
}

void ImageFetch::tellProgress(const ContainerImage& image)
{
    m_next = m_loop.callAfter(m_setting.pace, [this, image] {
        if (const auto progress = m_progress.mebibytes())
            tell(code::ContainerImageProgress, image,
                 {{"got", std::to_string(progress->got)},
                  {"whole", std::to_string(progress->whole)},
                  {"seconds", secondsSoFar()}});
        else
            tell(code::ContainerImageStill, image, {{"seconds", secondsSoFar()}});
        tellProgress(image);
    });
}

void ImageFetch::fetched(const ContainerImage& image, const ChildCommand::Outcome& outcome)
{
    const auto ended = std::move(m_child);
    const std::string said = allSaid(outcome);
    if (outcome.exitCode != 0 && isStorageInUse(said) &&
        std::chrono::steady_clock::now() - m_startedAt < m_setting.storagePatience)
        return fetchAgain(image);
    m_next.cancel();
    if (outcome.exitCode != 0)
        return finish(tl::unexpected(fetchFailure(image, said)));
    tell(code::ContainerImageFetched, image, {{"seconds", secondsSoFar()}});
    next();
}

/// The progress is told meanwhile: a lead waits for a host as long as that tells something.
void ImageFetch::fetchAgain(const ContainerImage& image)
{
    if (!std::exchange(m_isInUseTold, true))
        tell(code::ContainerStorageInUse, image, {}, Notice::Severity::Warning);
    m_again = m_loop.callAfter(m_setting.retryDelay, [this, image] { runEngine(image); });
}

void ImageFetch::ask(std::vector<std::string> command,
                     std::function<void(const ChildCommand::Outcome&)> then)
{
    auto child = ChildCommand::start(
        m_loop,
        {.arguments = std::move(command), .environment = environment(), .patience = LookPatience},
        [this, then = std::move(then)](const ChildCommand::Outcome& outcome) {
            const auto ended = std::move(m_child);
            then(outcome);
        });
    if (!child)
        return finish(tl::unexpected(std::move(child).error()));
    m_child = *std::move(child);
}

void ImageFetch::tell(Code code, const ContainerImage& image, Parameters more,
                      Notice::Severity severity)
{
    more["engine"] = image.engine;
    more["image"] = image.image;
    m_tell({.severity = severity, .message = {code, std::move(more), {}}});
}

/// Where the engine is found may be the job's to say: DOCKER_HOST.
std::vector<std::string> ImageFetch::environment() const
{
    EnvironmentMap variables = m_setting.spec.roles.front().environment;
    variables.insert(m_setting.environment.begin(), m_setting.environment.end());
    return environmentLines(variables);
}

std::string ImageFetch::secondsSoFar() const
{
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - m_startedAt;
    return fmt::format("{:.1f}", since.count());
}

} // namespace ringmaster
