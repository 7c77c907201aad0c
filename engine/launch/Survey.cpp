#include "engine/launch/Survey.h"

#include "engine/base/Clock.h"
#include "engine/base/Codes.h"
#include "engine/job/SystemSurroundings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr std::string_view AskTime = "time";
constexpr std::string_view AskFacts = "facts ";
constexpr int TimesAsked = 5;

using Nanoseconds = std::chrono::nanoseconds;

/// One host that is being asked.
class Interview : private HostLink::Listener
{
public:
    Interview(EventLoop& loop, const Host& host, std::function<void()> done)
        : m_loop(loop), m_done(std::move(done)), m_answer{.host = host}
    {
    }

    void start(HostLink::Options options)
    {
        auto link = HostLink::open(m_loop, *this, std::move(options));
        if (link)
            m_link = *std::move(link);
        else
            finish(tl::unexpected(link.error()));
    }

    void giveUp(const Error& why) { finish(tl::unexpected(why)); }
    const SurveyedHost& answer() const { return m_answer; }

private:
    void linkTold(const Message& /*progress*/) override { m_answer.wasCopied = true; }

    void linkOpened(FileDescriptor channel) override
    {
        m_channel = std::move(channel);
        m_answer.connecting = Nanoseconds(m_clock.now().monotonicNs - m_startedNs);
        m_readable = m_loop.watchReadable(m_channel.get(), [this] { read(); });
        ask(AskTime);
    }

    void linkEnded(const Error& why, int /*exitCode*/) override { giveUp(why); }

    void ask(std::string_view what)
    {
        m_asked = m_clock.now();
        const std::string line = std::string(what) + "\n";
        // What isn't taken ends the link, and that says why.
        (void)::send(m_channel.get(), line.data(), line.size(), MSG_NOSIGNAL);
    }

    void read()
    {
        std::array<char, 4096> buffer{};
        const ssize_t count = ::read(m_channel.get(), buffer.data(), buffer.size());
        if (count <= 0)
            return count == 0 ? m_readable.cancel() : void();
        m_text.append(buffer.data(), static_cast<size_t>(count));
        const size_t end = m_text.find('\n');
        if (end == std::string::npos)
            return;
        const std::string line = m_text.substr(0, end);
        m_text.erase(0, end + 1);
        if (m_timesHeard < TimesAsked)
            heardTime(line);
        else
            finish(factsFromJson(line));
    }

    void heardTime(const std::string& line)
    {
        const Moment now = m_clock.now();
        std::int64_t theirs = 0;
        std::from_chars(line.data(), line.data() + line.size(), theirs);
        const std::int64_t trip = now.monotonicNs - m_asked.monotonicNs;
        if (m_timesHeard == 0 || trip < m_answer.roundTrip.count()) {
            m_answer.roundTrip = Nanoseconds(trip);
            m_answer.clockBound = Nanoseconds(trip / 2);
            m_answer.clockOffset = Nanoseconds(theirs - m_asked.wallNs - trip / 2);
        }
        if (++m_timesHeard < TimesAsked)
            ask(AskTime);
        else
            ask(std::string(AskFacts) + m_answer.host.interpreter);
    }

    void finish(Result<MachineFacts> facts)
    {
        if (!m_done)
            return;
        m_answer.facts = std::move(facts);
        m_readable.cancel();
        m_loop.post(std::exchange(m_done, nullptr));
    }

    EventLoop& m_loop;
    std::function<void()> m_done;
    SurveyedHost m_answer;
    SystemClock m_clock;
    std::int64_t m_startedNs = SystemClock().now().monotonicNs;
    Moment m_asked{};
    int m_timesHeard = 0;
    std::string m_text;
    FileDescriptor m_channel;
    EventLoop::Registration m_readable;
    std::unique_ptr<HostLink> m_link;
};

} // namespace

std::vector<SurveyedHost> survey(const std::vector<Host>& hosts, const SshSettings& ssh,
                                 const std::string& sentinel, std::chrono::milliseconds patience)
{
    const bool isAnyFar =
        std::ranges::any_of(hosts, [](const Host& host) { return !host.isHere(); });
    const auto bundle = isAnyFar ? agentBundle() : Result<AgentBundle>(AgentBundle{});
    EventLoop loop;
    size_t left = hosts.size();
    std::vector<std::unique_ptr<Interview>> interviews;
    for (const Host& host : hosts) {
        interviews.push_back(std::make_unique<Interview>(loop, host, [&] {
            if (--left == 0)
                loop.stop();
        }));
        if (!bundle) {
            interviews.back()->giveUp(bundle.error());
            continue;
        }
        const std::vector<std::string> words{"agent", "survey"};
        HostLink::Options link =
            host.isHere() ? localLink(host, words) : sshLink(ssh, host, *bundle, words);
        link.sentinel = sentinel;
        interviews.back()->start(std::move(link));
    }
    const auto limit = loop.callAfter(patience, [&] {
        for (const auto& interview : interviews)
            interview->giveUp(Error{{code::HostSilent,
                                     {{"host", interview->answer().host.name},
                                      {"seconds", std::to_string(patience.count() / 1000)}},
                                     {}},
                                    {}});
    });
    if (!hosts.empty())
        loop.run();
    std::vector<SurveyedHost> answers;
    for (const auto& interview : interviews)
        answers.push_back(interview->answer());
    return answers;
}

void answerSurvey(int input, int output)
{
    std::string text;
    for (;;) {
        const size_t end = text.find('\n');
        if (end == std::string::npos) {
            std::array<char, 4096> buffer{};
            const ssize_t count = ::read(input, buffer.data(), buffer.size());
            if (count <= 0)
                return;
            text.append(buffer.data(), static_cast<size_t>(count));
            continue;
        }
        const std::string question = text.substr(0, end);
        text.erase(0, end + 1);
        std::string answer = std::to_string(SystemClock().now().wallNs);
        if (question.starts_with(AskFacts))
            answer = toJson(machineFacts(currentEnvironment(), question.substr(AskFacts.size())));
        if (!writeAll(output, answer + "\n"))
            return;
    }
}

} // namespace ringmaster
