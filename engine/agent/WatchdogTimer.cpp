#include "engine/agent/WatchdogTimer.h"

#include "engine/agent/Codes.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {
namespace {

// A message is written in one piece, so it is at most PIPE_BUF long.
constexpr std::size_t LongestMessage = 4096;
constexpr std::size_t MostTimers = 4096;
constexpr double LongestSleep = 3600;
constexpr double AskAgain = 0.1;

double seconds(const Moment& moment)
{
    return static_cast<double>(moment.wallNs) / 1e9;
}

} // namespace

WatchdogTimer::WatchdogTimer(EventLoop& loop, const Clock& clock, std::filesystem::path file,
                             Host& host)
    : m_loop(loop), m_clock(clock), m_file(std::move(file)), m_host(host)
{
}

WatchdogTimer::~WatchdogTimer()
{
    if (m_fifo.isOpen())
        ::unlink(m_file.c_str());
}

Result<std::unique_ptr<WatchdogTimer>> WatchdogTimer::create(EventLoop& loop, const Clock& clock,
                                                             std::filesystem::path file, Host& host)
{
    std::unique_ptr<WatchdogTimer> timer(new WatchdogTimer(loop, clock, std::move(file), host));
    RM_TRY(timer->open());
    return timer;
}

Result<void> WatchdogTimer::open()
{
    struct stat present = {};
    if (::lstat(m_file.c_str(), &present) == 0 && S_ISFIFO(present.st_mode))
        ::unlink(m_file.c_str());
    if (::mkfifo(m_file.c_str(), 0600) != 0)
        return fail(code::TimerNotMade, {{"path", m_file.string()}}, errnoText(errno));
    // Opened for writing as well: otherwise every client that closes it looks like an end of file.
    m_fifo = FileDescriptor(::open(m_file.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
    if (!m_fifo.isOpen())
        return fail(code::TimerNotMade, {{"path", m_file.string()}}, errnoText(errno));
    m_watch = m_loop.watchReadable(m_fifo.get(), [this] { read(); });
    return {};
}

void WatchdogTimer::forgetAll()
{
    m_deadlines.clear();
    m_timer.cancel();
}

void WatchdogTimer::read()
{
    char buffer[LongestMessage];
    const ssize_t count = ::read(m_fifo.get(), buffer, sizeof buffer);
    if (count <= 0)
        return;
    m_unread.append(buffer, static_cast<std::size_t>(count));
    std::size_t start = 0;
    for (std::size_t end = 0; (end = m_unread.find('\n', start)) != std::string::npos;
         start = end + 1)
        take(m_unread.substr(start, end - start));
    m_unread.erase(0, start);
    if (m_unread.size() > LongestMessage) {
        m_unread.clear();
        m_host.timerMessageRefused("too long");
    }
    arm();
}

void WatchdogTimer::take(const std::string& line)
{
    const auto json = nlohmann::json::parse(line, nullptr, false);
    // A number that doesn't fit an int is as wrong as a text: such a pid would be another one.
    const auto integer = [&json](const char* name) -> std::optional<int> {
        if (!json.contains(name) || !json[name].is_number_integer())
            return std::nullopt;
        const auto value = json[name].get<std::int64_t>();
        return std::in_range<int>(value) ? std::optional(static_cast<int>(value)) : std::nullopt;
    };
    const auto isGiven = [&json](const char* name, bool (nlohmann::json::*is)() const) {
        return json.contains(name) && (json[name].*is)();
    };
    const auto pid = json.is_object() ? integer("pid") : std::nullopt;
    const auto signal = json.is_object() ? integer("signal") : std::nullopt;
    if (!pid || !signal || *pid < 1 || !isGiven("expiration_time", &nlohmann::json::is_number) ||
        !isGiven("scope_id", &nlohmann::json::is_string))
        return m_host.timerMessageRefused(line.substr(0, 80));
    const std::pair key(*pid, json["scope_id"].get<std::string>());
    const Deadline deadline{json["expiration_time"].get<double>(), *signal};
    if (deadline.epochSeconds < 0)
        m_deadlines.erase(key);
    else if (m_deadlines.size() < MostTimers || m_deadlines.contains(key))
        m_deadlines[key] = deadline;
    else
        m_host.timerMessageRefused("too many timers");
}

void WatchdogTimer::arm()
{
    m_timer.cancel();
    if (m_deadlines.empty())
        return;
    double earliest = m_deadlines.begin()->second.epochSeconds;
    for (const auto& [key, deadline] : m_deadlines)
        earliest = std::min(earliest, deadline.epochSeconds);
    // Never long at once: the deadlines are those of a wall clock, which may be set.
    const double sleep = std::clamp(earliest - seconds(m_clock.now()), 0.0, LongestSleep);
    m_timer = m_loop.callAfter(std::chrono::nanoseconds(static_cast<std::int64_t>(sleep * 1e9)),
                               [this] { expire(); });
}

void WatchdogTimer::expire()
{
    const double now = seconds(m_clock.now());
    struct Expired
    {
        std::string scope;
        Deadline deadline;
    };
    std::map<int, Expired> first; // The earliest one with a signal, for each process.
    std::vector<int> done;
    for (const auto& [key, deadline] : m_deadlines) {
        if (deadline.epochSeconds > now)
            continue;
        done.push_back(key.first);
        const auto known = first.find(key.first);
        const bool isEarlier =
            known == first.end() || deadline.epochSeconds < known->second.deadline.epochSeconds;
        if (deadline.signal > 0 && isEarlier)
            first[key.first] = {key.second, deadline};
    }
    std::erase_if(m_deadlines, [&done](const auto& entry) {
        return std::ranges::find(done, entry.first.first) != done.end();
    });
    for (const auto& [pid, expired] : first)
        if (!m_host.timerExpired(pid, expired.scope, expired.deadline.signal))
            m_deadlines[{pid, expired.scope}] = {now + AskAgain, expired.deadline.signal};
    arm();
}

} // namespace ringmaster
