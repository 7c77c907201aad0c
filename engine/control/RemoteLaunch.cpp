#include "engine/control/RemoteLaunch.h"

#include "engine/base/Clock.h"
#include "engine/control/Codes.h"
#include "engine/hosts/Codes.h"
#include "engine/hosts/HostJob.h"
#include "engine/hosts/NamedHosts.h"
#include "engine/job/JobFile.h"
#include "engine/record/RunFolder.h"

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto LongestCopy = 24h; // rsync itself gives up when nothing gets on
constexpr std::chrono::nanoseconds BetweenProgress = 1s;

} // namespace

Result<std::unique_ptr<RemoteLaunch>> RemoteLaunch::start(EventLoop& loop, Owner& owner,
                                                          RemoteMachine machine,
                                                          MachineLaunch launch,
                                                          const std::filesystem::path& home)
{
    auto started = std::unique_ptr<RemoteLaunch>(new RemoteLaunch(loop, owner, std::move(machine)));
    RM_TRY(started->prepare(std::move(launch), home));
    started->m_next = loop.callAfter(
        0ms, [launch = started.get()] { launch->m_copy ? launch->bring() : launch->launch(); });
    return started;
}

RemoteLaunch::RemoteLaunch(EventLoop& loop, Owner& owner, RemoteMachine machine)
    : m_loop(loop), m_owner(owner), m_machine(std::move(machine)), m_children(loop)
{
}

Result<void> RemoteLaunch::prepare(MachineLaunch launch, const std::filesystem::path& home)
{
    const Host& host = m_machine.host;
    std::string folder = launch.folder.string();
    if (launch.program == MachineLaunch::Program::Here) {
        const std::string code = codeFolderOf(launch.spec, launch.folder);
        if (host.sync == CodeSync::Rsync && !host.isHere()) {
            m_copy = CodeCopy::of(host, code);
            RM_TRY(checkCopy(*m_copy, home));
        }
        launch.spec = jobOn(host, std::move(launch.spec), code);
        if (!host.code.empty())
            folder = host.code;
    }
    // The job goes through the channel: its variables aren't for the list of processes.
    const std::string job = RM_TRY(jobFileText(launch.spec));
    m_request = {.words = {"run", "--detach"}, .folder = folder, .input = job};
    m_request.words.insert(m_request.words.end(), launch.options.begin(), launch.options.end());
    m_request.words.emplace_back("--job-from-elsewhere");
    return {};
}

void RemoteLaunch::bring()
{
    m_owner.launchReached(LaunchStep::Bringing);
    m_owner.launchTold(
        {code::CodeIsCopied,
         {{"host", m_copy->host.name}, {"folder", m_copy->folder}, {"target", m_copy->target}},
         {}});
    m_toldAtNs = SystemClock().now().monotonicNs;
    ChildCommand::Options options{.arguments = rsyncCommand(m_machine.ssh, *m_copy),
                                  .patience = LongestCopy};
    options.heard = [this](std::string_view output) {
        const std::int64_t now = SystemClock().now().monotonicNs;
        const auto percent = copiedPercent(output);
        if (!percent || now - m_toldAtNs < BetweenProgress.count())
            return;
        m_toldAtNs = now;
        m_owner.launchTold(codeIsComing(*m_copy, *percent));
    };
    m_children.start(std::move(options),
                     [this](const Result<ChildCommand::Outcome>& outcome) { brought(outcome); });
}

void RemoteLaunch::brought(const Result<ChildCommand::Outcome>& outcome)
{
    if (!outcome)
        return end(tl::unexpected(outcome.error()));
    if (!isCopied(outcome->exitCode))
        return end(tl::unexpected(copyFailure(*m_copy, outcome->exitCode, outcome->error)));
    m_owner.launchTold(codeCopied(*m_copy, outcome->output));
    launch();
}

void RemoteLaunch::launch()
{
    m_owner.launchReached(LaunchStep::Starting);
    auto command = RemoteCommand::start(m_loop, *this,
                                        m_machine.wayTo({"command"}, CommandSentinel), m_request);
    if (command)
        m_command = *std::move(command);
    else
        end(tl::unexpected(command.error()));
}

void RemoteLaunch::end(const Result<Outcome>& outcome)
{
    m_next = m_loop.callAfter(0ms, [this, outcome] { m_owner.launchEnded(outcome); });
}

void RemoteLaunch::commandPrinted(Stream stream, std::string_view bytes)
{
    constexpr std::size_t Longest = 4096;
    if (stream == Stream::Stderr)
        m_owner.launchPrinted(bytes);
    else if (m_answer.size() < Longest)
        m_answer += bytes;
}

void RemoteLaunch::commandEnded(const Result<int>& exitCode)
{
    if (!exitCode)
        return end(tl::unexpected(exitCode.error()));
    if (*exitCode != 0)
        return end(Outcome{.exitCode = *exitCode});
    while (!m_answer.empty() && m_answer.back() == '\n')
        m_answer.pop_back();
    if (RunFolder::isId(m_answer))
        end(Outcome{.run = m_answer});
    else
        end(fail(code::RemoteCommandMalformed, {{"host", m_machine.host.name}}));
}

} // namespace ringmaster
