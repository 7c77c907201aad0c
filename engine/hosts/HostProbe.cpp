#include "engine/hosts/HostProbe.h"

#include "engine/base/Clock.h"
#include "engine/base/Codes.h"
#include "engine/hosts/HostProbeAnswers.h"
#include "engine/hosts/HostProbeQuestions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <memory>

#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr int TimesAsked = 5;
constexpr int TimesLonger = 10; ///< While the agent is copied.

using Nanoseconds = std::chrono::nanoseconds;
using namespace probe_line;

/// One host that is being asked, line by line.
class Interview : private HostLink::Listener
{
public:
    using Heard = std::function<void(const std::string&)>;

    Interview(EventLoop& loop, const Host& host, std::chrono::milliseconds patience)
        : m_loop(loop), m_patience(patience), m_answer{.host = host}
    {
    }

    void start(HostLink::Options options, const Inquiry& inquiry, std::function<void()> ready)
    {
        m_inquiry = inquiry;
        m_ready = std::move(ready);
        options.patience = m_patience; // what isn't there by then, the link says best
        auto link = HostLink::open(m_loop, *this, std::move(options));
        if (link)
            m_link = *std::move(link);
        else
            giveUp(link.error());
    }

    /// Once what is asked of it alone is known, or won't be.
    void reach(const std::vector<std::unique_ptr<Interview>>& others, std::function<void()> ready)
    {
        m_ready = std::move(ready);
        m_isReaching = true;
        wait(m_patience);
        askForName(m_answer.facts->name);
        if (!m_address.empty())
            ask(std::string(AskInterface) + m_address,
                [this](const std::string& line) { m_answer.interface = line; });
        for (const auto& other : others) {
            if (other.get() != this && other->isThere())
                askForName(other->m_answer.facts->name);
            if (other.get() == this || other->m_port.empty())
                continue;
            ask(std::string(AskToReach) + other->m_address + " " + other->m_port,
                [this, name = other->m_answer.host.name,
                 address = other->m_address](const std::string& line) {
                    ProbedHost::Route route{.peer = name, .address = address};
                    if (line.starts_with(Problem))
                        route.problem = line.substr(Problem.size());
                    else
                        route.time = Nanoseconds(numberIn(line));
                    m_answer.routes.push_back(std::move(route));
                });
        }
        goOn();
    }

    void giveUp(const Error& why)
    {
        if (m_isOver)
            return;
        m_isOver = true;
        m_answer.facts = tl::unexpected(why);
        m_questions.clear();
        m_port.clear();
        becomeReady();
    }

    const ProbedHost& answer() const { return m_answer; }
    bool isThere() const { return m_answer.facts.has_value(); }

private:
    struct Question
    {
        std::string text{};
        Heard heard{};
    };

    static std::int64_t numberIn(const std::string& line)
    {
        std::int64_t number = 0;
        std::from_chars(line.data(), line.data() + line.size(), number);
        return number;
    }

    void wait(std::chrono::milliseconds patience)
    {
        m_limit = m_loop.callAfter(patience, [this, patience] {
            giveUp(Error{{code::HostSilent,
                          {{"host", m_answer.host.name},
                           {"seconds", std::to_string(patience.count() / 1000)}},
                          {}},
                         {}});
        });
    }

    void linkTold(const Message& /*progress*/) override
    {
        m_answer.wasCopied = true;
        if (m_ready)
            wait(TimesLonger * m_patience);
    }

    void linkOpened(FileDescriptor channel) override
    {
        if (m_isOver)
            return;
        m_channel = std::move(channel);
        wait(m_patience);
        m_answer.connecting = Nanoseconds(m_clock.now().monotonicNs - m_startedNs);
        m_readable = m_loop.watchReadable(m_channel.get(), [this] { read(); });
        for (int i = 0; i < TimesAsked; ++i)
            ask(std::string(AskTime), [this](const std::string& line) { heardTime(line); });
        ask(std::string(AskFacts) + m_answer.host.interpreter,
            [this](const std::string& line) { m_answer.facts = factsFromJson(line); });
        askForPaths();
        if (m_inquiry.isPairwise) {
            askForTheMachine();
            ask(std::string(AskToListen) + m_answer.host.address + " " + m_answer.host.interface,
                [this](const std::string& line) { heardPort(line); });
        }
        goOn();
    }

    void linkEnded(const Error& why, int /*exitCode*/) override { giveUp(why); }

    void askForTheMachine()
    {
        ask(std::string(AskSpace), [this](const std::string& line) {
            m_answer.freeBytes = numberIn(line);
            m_answer.freePath = line.substr(std::min(line.find(' '), line.size() - 1) + 1);
        });
        ask(std::string(AskWritable), [this](const std::string& line) {
            const size_t tab = std::min(line.find('\t'), line.size());
            m_answer.unwritable = {line.substr(0, tab),
                                   line.substr(std::min(tab + 1, line.size()))};
        });
        ask(std::string(AskLeftOvers), [this](const std::string& line) {
            const size_t tab = std::min(line.find('\t'), line.size());
            m_answer.leftOvers = {line.substr(0, tab), line.substr(std::min(tab + 1, line.size()))};
        });
    }

    void askForName(const std::string& name)
    {
        ask(std::string(AskName) + name, [this, name](const std::string& line) {
            m_answer.meanings.push_back({name, line.starts_with(Problem) ? std::string() : line});
        });
    }

    void askForPaths()
    {
        if (m_inquiry.folder.empty())
            return;
        // What is copied there at the launch needn't be there before.
        if (m_answer.host.sync == CodeSync::Rsync && !m_answer.host.isHere()) {
            m_answer.lacksRsyncHere = !isOnPath("rsync");
            return ask(std::string(AskProgram) + "rsync",
                       [this](const std::string& line) { m_answer.lacksRsync = line != "1"; });
        }
        const std::filesystem::path folder = m_answer.host.code.empty()
                                                 ? m_inquiry.folder
                                                 : std::filesystem::path(m_answer.host.code);
        askForPath({folder.string(), m_inquiry.folder.string() + "/"});
        if (!m_inquiry.program.empty())
            askForPath({(folder / m_inquiry.program).string(),
                        (m_inquiry.folder / m_inquiry.program).string()});
    }

    void askForPath(const ProbedHost::Missing& path)
    {
        ask(std::string(AskPath) + path.there, [this, path](const std::string& line) {
            if (line != "1")
                m_answer.missing.push_back(path);
        });
    }

    void ask(std::string text, Heard heard)
    {
        m_questions.push_back({std::move(text), std::move(heard)});
    }

    /// One question is on its way at a time.
    void goOn()
    {
        if (m_questions.empty()) {
            m_isOver = m_isReaching;
            return becomeReady();
        }
        m_asked = m_clock.now();
        const std::string line = m_questions.front().text + "\n";
        // What isn't taken ends the link, and that says why.
        (void)::send(m_channel.get(), line.data(), line.size(), MSG_NOSIGNAL);
    }

    void becomeReady()
    {
        m_limit.cancel();
        if (m_ready)
            m_loop.post(std::exchange(m_ready, nullptr));
    }

    void read()
    {
        std::array<char, 4096> buffer{};
        const ssize_t count = ::read(m_channel.get(), buffer.data(), buffer.size());
        if (count == 0)
            m_readable.cancel(); // the link's end says why
        if (count <= 0)
            return;
        m_text.append(buffer.data(), static_cast<size_t>(count));
        const size_t end = m_text.find('\n');
        if (end == std::string::npos || m_questions.empty())
            return;
        const std::string line = m_text.substr(0, end);
        m_text.erase(0, end + 1);
        const Heard heard = std::move(m_questions.front().heard);
        m_questions.pop_front();
        heard(line);
        goOn();
    }

    void heardTime(const std::string& line)
    {
        const std::int64_t trip = m_clock.now().monotonicNs - m_asked.monotonicNs;
        if (m_answer.roundTrip.count() != 0 && trip >= m_answer.roundTrip.count())
            return;
        m_answer.roundTrip = Nanoseconds(trip);
        m_answer.clockBound = Nanoseconds(trip / 2);
        m_answer.clockOffset = Nanoseconds(numberIn(line) - m_asked.wallNs - trip / 2);
    }

    void heardPort(const std::string& line)
    {
        const size_t space = line.find(' ');
        if (line.starts_with(Problem) || space == std::string::npos) {
            m_answer.listenProblem = line.substr(std::min(Problem.size(), line.size()));
            return;
        }
        m_answer.address = m_address = line.substr(0, space);
        m_port = line.substr(space + 1);
    }

    EventLoop& m_loop;
    const std::chrono::milliseconds m_patience;
    Inquiry m_inquiry;
    std::function<void()> m_ready;
    bool m_isReaching = false; ///< All that is asked of it alone is known.
    bool m_isOver = false;
    ProbedHost m_answer;
    SystemClock m_clock;
    std::int64_t m_startedNs = SystemClock().now().monotonicNs;
    Moment m_asked{};
    std::deque<Question> m_questions;
    std::string m_address; ///< At which it listens; with the port.
    std::string m_port;
    std::string m_text;
    FileDescriptor m_channel;
    EventLoop::Registration m_readable;
    EventLoop::Registration m_limit;
    std::unique_ptr<HostLink> m_link;
};

using Interviews = std::vector<std::unique_ptr<Interview>>;

} // namespace

std::vector<ProbedHost> probeHosts(const std::vector<Host>& hosts, const SshSettings& ssh,
                                   const std::string& sentinel, const Inquiry& inquiry,
                                   std::chrono::milliseconds patience)
{
    const bool isAnyFar =
        std::ranges::any_of(hosts, [](const Host& host) { return !host.isHere(); });
    const auto bundle = isAnyFar ? agentBundle() : Result<AgentBundle>(AgentBundle{});
    EventLoop loop;
    Interviews interviews;
    for (const Host& host : hosts)
        interviews.push_back(std::make_unique<Interview>(loop, host, patience));
    size_t left = hosts.size();
    const auto finished = [&] {
        if (--left == 0)
            loop.stop();
    };
    const auto alone = [&] {
        if (--left > 0)
            return;
        // All listen that will: now each is asked for the routes to the others.
        left = hosts.size();
        for (const auto& interview : interviews) {
            if (interview->isThere())
                interview->reach(interviews, finished);
            else
                loop.post(finished);
        }
    };
    for (const auto& interview : interviews) {
        const Host& host = interview->answer().host;
        const std::vector<std::string> words{"agent", "probe"};
        HostLink::Options link =
            host.isHere() || !bundle ? localLink(host, words) : sshLink(ssh, host, *bundle, words);
        link.sentinel = sentinel;
        interview->start(std::move(link), inquiry, alone);
        if (!bundle)
            interview->giveUp(bundle.error());
    }
    if (!hosts.empty())
        loop.run();
    std::vector<ProbedHost> answers;
    for (const auto& interview : interviews)
        answers.push_back(interview->answer());
    return answers;
}

} // namespace ringmaster
