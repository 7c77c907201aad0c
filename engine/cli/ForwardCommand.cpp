#include "engine/base/Thread.h"
#include "engine/cli/Codes.h"
#include "engine/cli/Commands.h"
#include "engine/cli/ForwardTarget.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/control/MachineWatch.h"
#include "engine/control/PortForward.h"

#include <csignal>
#include <optional>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr int MostPort = 65'535;

/// A port that is forwarded until its run ends, or somebody has enough.
class Forwarding : private PortForward::Listener
{
public:
    explicit Forwarding(PortForward::Options options) : m_options(std::move(options)) {}

    int run(const std::function<std::unique_ptr<ForwardTarget>(EventLoop&)>& makeTarget)
    {
        m_signals = m_loop.watchSignals({SIGINT, SIGTERM}, [this](int) { m_loop.stop(); });
        const std::unique_ptr<ForwardTarget> target = makeTarget(m_loop);
        target->find([this](Result<ForwardTarget::Place> place) { found(std::move(place)); },
                     [this] { ended(); });
        m_loop.run();
        m_forward.reset();
        return m_exitCode;
    }

private:
    void found(Result<ForwardTarget::Place> place)
    {
        const auto opened = place ? open(*place) : tl::unexpected(place.error());
        if (opened)
            return;
        m_exitCode = complain(opened.error());
        m_loop.stop();
    }

    Result<void> open(const ForwardTarget::Place& place)
    {
        m_run = place.run;
        m_options.host = place.host;
        m_options.ssh = place.ssh;
        m_forward = RM_TRY(PortForward::open(m_loop, *this, m_options));
        const std::string address = "127.0.0.1:" + std::to_string(m_forward->localPort());
        m_out.print("Port " + std::to_string(m_options.port) + " of " + harmless(place.host.name) +
                    " is at " + address + " as long as " + harmless(m_run) +
                    " runs; Ctrl+C ends it.\n");
        return {};
    }

    void ended()
    {
        m_error.say(harmless(describe(Message{code::ForwardEnded, {{"run", m_run}}, {}})),
                    Terminal::Style::Dim);
        m_loop.stop();
    }

    void connectionFailed(const Error& why) override
    {
        const std::string said = harmlessLines(describe(why));
        // A browser tries again and again.
        if (std::exchange(m_said, said) != said)
            m_error.say(said, Terminal::Style::Yellow);
    }

    PortForward::Options m_options;
    Terminal m_out{STDOUT_FILENO};
    Terminal m_error{STDERR_FILENO};
    std::string m_run;
    std::string m_said;
    int m_exitCode = 0;
    EventLoop m_loop;
    EventLoop::Registration m_signals;
    std::unique_ptr<PortForward> m_forward;
};

class ForwardCommand : public CliCommand
{
public:
    About about() const override
    {
        return {
            "forward", "Reach a port of a run that is elsewhere: TensorBoard, a debugger",
            "Makes a port of the host that a run is on reachable at 127.0.0.1 here, through "
            "your own ssh, as long as the run goes on. Of a run on several hosts it is the "
            "host of rank 0, or of --rank. It listens on loopback only: who is logged in on "
            "this machine can reach it, nobody else. Ctrl+C ends it; the run isn't touched.",
            "  ringmaster forward --on gpu1 train 6006     TensorBoard of a run of gpu1\n"
            "  ringmaster forward train 5678 --rank 3      the debugger of rank 3, on its host\n"
            "  ringmaster forward gpu1:train 6006 --local 0"};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_run, "Its id, a beginning of it, or its name")->required();
        app.add_option("PORT", m_options.port, "The port there")
            ->required()
            ->check(CLI::Range(1, MostPort));
        app.add_option("--local", m_local, "The port here (default: the same); 0: a free one")
            ->check(CLI::Range(0, MostPort));
        app.add_option("--rank", m_rank, "Whose host, of several (default 0)")
            ->check(CLI::NonNegativeNumber);
        app.add_option("--on", m_machine,
                       "A run of another machine: one of `ringmaster host ls`, or a name that ssh "
                       "knows");
    }

    int execute() override
    {
        if (const auto there = MachineRun::parse(m_run); there && m_machine.empty()) {
            m_machine = there->machine;
            m_run = there->run;
        }
        m_options.localPort = m_local.value_or(m_options.port);
        if (!m_machine.empty() && m_rank)
            return complain(fail(code::ForwardRankOnMachine, {{"host", m_machine}}).value());
        int exitCode = 0;
        const auto done = guardThreads([&]() -> Result<void> {
            // Before anything is asked: nothing else tells so soon.
            RM_TRY(listenForForward(m_options.localPort));
            exitCode = Forwarding(m_options).run([this](EventLoop& loop) {
                return m_machine.empty()
                           ? runOnHosts(loop, m_run, m_rank.value_or(0), m_options.port)
                           : runOfMachine(loop, m_machine, m_run);
            });
            return {};
        });
        return done ? exitCode : complain(done.error());
    }

private:
    std::string m_run;
    std::string m_machine;
    PortForward::Options m_options;
    std::optional<int> m_local;
    std::optional<int> m_rank;
};

} // namespace

std::unique_ptr<CliCommand> makeForwardCommand()
{
    return std::make_unique<ForwardCommand>();
}

} // namespace ringmaster
