#include "engine/node/StackReader.h"

#include "engine/base/ChildCommand.h"
#include "engine/base/Clock.h"
#include "engine/diagnose/Codes.h"
#include "engine/diagnose/PySpyStacks.h"
#include "engine/machine/PySpyProgram.h"
#include "engine/node/WorkerServerRequest.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using diagnose::Stack;

namespace {

constexpr std::string_view NamePrefix = "stacks-";

std::string socketName(int attempt, int rank)
{
    return std::string(NamePrefix) + std::to_string(attempt) + "-" + std::to_string(rank);
}

/// The line of a source file; empty where it can't be had without waiting.
std::string sourceLine(const Stack::Frame& frame)
{
    constexpr std::streamoff LargestFile = 4 << 20;
    constexpr size_t Longest = 160;
    const FileDescriptor file(
        ::open(frame.file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status = {};
    if (!file.isOpen() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size > LargestFile || !frame.file.starts_with('/'))
        return {};
    std::ifstream lines("/proc/self/fd/" + std::to_string(file.get()));
    std::string line;
    for (int number = 0; number < frame.line; ++number) {
        if (!std::getline(lines, line))
            return {};
    }
    const size_t first = line.find_first_not_of(" \t");
    return first == std::string::npos ? std::string() : line.substr(first, Longest);
}

} // namespace

/// One look at one rank, from the first way to the last.
class StackReader::Request
{
public:
    using Done = std::function<void(std::optional<Stack>, Message)>;

    Request(EventLoop& loop, Patience patience, Target target, Done done)
        : m_loop(loop), m_patience(patience), m_target(target), m_done(std::move(done))
    {
    }

    void start(const std::string& socket)
    {
        // Never inside the call that asks.
        m_begin = m_loop.callAfter(0s, [this, socket] {
            if (m_target.isStopped || !m_server.start(socket))
                startPySpy();
        });
    }

private:
    void answered(const std::optional<std::string>& text)
    {
        if (text) {
            m_stack = diagnose::readPythonStack(*text);
        }
        startPySpy();
    }

    /// Also where torch has answered: it doesn't say who holds the interpreter's lock.
    void startPySpy()
    {
        const std::string program = pySpyFor(m_target.pid);
        if (program.empty())
            return finishWithout({code::StackNoReader, {}, {}});
        auto child = ChildCommand::start(
            m_loop,
            // Its text for people doesn't say that a thread waits with the lock.
            {.arguments = {program, "dump", "--nonblocking", "--json", "--pid",
                           std::to_string(m_target.pid)},
             .patience = m_patience.pySpy},
            [this](const ChildCommand::Outcome& outcome) { pySpyEnded(outcome); });
        if (!child)
            return finishWithout({code::StackFailed, {{"reason", describe(child.error())}}, {}});
        m_pySpy = *std::move(child);
    }

    void pySpyEnded(const ChildCommand::Outcome& outcome)
    {
        if (outcome.wasTooSlow)
            return finishWithout({code::StackNoAnswer, {}, {}});
        auto spied = outcome.exitCode == 0 ? diagnose::readPySpyStack(outcome.output, m_target.pid)
                                           : std::nullopt;
        if (m_stack && spied) {
            m_stack->holdsGil = spied->holdsGil;
            m_stack->isActive = spied->isActive;
        }
        if (m_stack || spied)
            return finish(m_stack ? std::move(m_stack) : std::move(spied), {});
        if (isPySpyRefused(outcome.error))
            return finishWithout({code::StackRefused, {}, {}});
        finishWithout({code::StackFailed, {{"reason", outcome.error.substr(0, 200)}}, {}});
    }

    /// py-spy says nothing; torch may have.
    void finishWithout(Message problem)
    {
        if (m_stack)
            problem = {};
        finish(std::move(m_stack), std::move(problem));
    }

    /// The last thing: who hears of it drops this.
    void finish(std::optional<Stack> stack, Message problem)
    {
        if (stack) {
            if (const Stack::Frame* frame = diagnose::userFrame(*stack))
                stack->code = sourceLine(*frame);
        }
        m_done(std::move(stack), std::move(problem));
    }

    EventLoop& m_loop;
    const Patience m_patience;
    const Target m_target;
    const Done m_done;
    WorkerServerRequest m_server{
        m_loop, m_patience.server,
        [this](const std::optional<std::string>& text) { answered(text); }};
    std::optional<Stack> m_stack; ///< From torch.
    std::unique_ptr<ChildCommand> m_pySpy;
    EventLoop::Registration m_begin;
};

StackReader::StackReader(EventLoop& loop, const fs::path& folder, Patience patience)
    : m_loop(loop)
    , m_patience(patience)
    , m_folder(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))
{
}

StackReader::~StackReader()
{
    removeSockets();
}

void StackReader::removeSockets() const
{
    std::error_code ignored;
    const fs::path folder = "/proc/self/fd/" + std::to_string(m_folder.get());
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.is_socket(ignored) && entry.path().filename().string().starts_with(NamePrefix))
            fs::remove(entry.path(), ignored);
    }
}

std::string StackReader::socketOf(int attempt, int rank) const
{
    if (!m_folder.isOpen())
        return {};
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(m_folder.get()) + "/" +
           socketName(attempt, rank);
}

void StackReader::begin(int attempt)
{
    m_watched.clear();
    removeSockets();
    m_attempt = attempt;
}

void StackReader::want(const std::vector<Target>& targets, std::int64_t nowNs)
{
    for (auto& [rank, watched] : m_watched) {
        if (std::ranges::count(targets, rank, &Target::rank) == 0)
            watched.reading = {};
    }
    auto underWay = std::ranges::count_if(
        m_watched, [](const auto& known) { return known.second.request != nullptr; });
    // Of many, those whose turn was longest ago.
    std::vector<Target> inTurn = targets;
    std::ranges::stable_sort(
        inTurn, {}, [this](const Target& target) { return m_watched[target.rank].askedNs; });
    for (const Target& target : inTurn) {
        Watched& watched = m_watched[target.rank];
        const bool isDue = watched.askedNs == 0 || nowNs - watched.askedNs >= IntervalNs;
        if (target.pid <= 0 || watched.request || !isDue ||
            underWay >= static_cast<std::ptrdiff_t>(MostAtOnce))
            continue;
        ++underWay;
        watched.askedNs = nowNs;
        watched.startedNs = SystemClock().now().monotonicNs;
        if (std::exchange(watched.pid, target.pid) != target.pid)
            watched.reading = {};
        watched.request = std::make_shared<Request>(
            m_loop, m_patience, target, [this, rank = target.rank](auto stack, Message problem) {
                finished(rank, std::move(stack), std::move(problem));
            });
        watched.request->start(socketOf(m_attempt, target.rank));
    }
}

void StackReader::finished(int rank, std::optional<Stack> stack, Message problem)
{
    Watched& watched = m_watched[rank];
    // It is still on the stack here.
    m_loop.post([ended = std::exchange(watched.request, nullptr)] {});
    // Who is too busy to answer now stood there when it did.
    if (!stack && problem.code == code::StackNoAnswer && watched.reading.stack)
        return;
    if (stack) {
        stack->takenNs = watched.startedNs;
        stack->sameSinceNs = SystemClock().now().monotonicNs;
        const auto& before = watched.reading.stack;
        if (before && before->frames == stack->frames)
            stack->sameSinceNs = before->sameSinceNs;
    }
    watched.reading = {std::move(stack), std::move(problem)};
}

const StackReader::Reading* StackReader::find(int rank) const
{
    const auto found = m_watched.find(rank);
    return found == m_watched.end() ? nullptr : &found->second.reading;
}

} // namespace ringmaster
