#include "engine/lesson/TracerServer.h"

#include "engine/base/Clock.h"
#include "engine/base/Log.h"
#include "engine/lesson/Faults.h"

#include <algorithm>
#include <array>

#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster::lesson {

namespace {

constexpr size_t MostConnections = 1024;
constexpr size_t BytesARead = 64U << 10U;
constexpr int ReadsARound = 16;

std::int64_t monotonicNow()
{
    return SystemClock().now().monotonicNs;
}

std::optional<ucred> peerOf(int socket)
{
    ucred peer{};
    socklen_t size = sizeof(peer);
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return std::nullopt;
    return peer;
}

} // namespace

TracerServer::TracerServer(EventLoop& loop, FileDescriptor listener, Setting setting)
    : m_loop(loop)
    , m_listener(std::move(listener))
    , m_setting(std::move(setting))
    , m_acceptable(loop.watchReadable(m_listener.get(), [this] { acceptOne(); }))
{
}

TracerServer::~TracerServer() = default;

void TracerServer::attemptStarted(int attempt, int ranks)
{
    flush();
    m_connections.clear();
    m_workers.clear();
    m_attempt = attempt;
    m_ranks = static_cast<size_t>(std::max(ranks, 0));
    m_gate.attemptStarted(ranks);
}

void TracerServer::workerStarted(int rank, pid_t pid)
{
    m_workers[pid] = rank;
    for (Connection& connection : m_connections)
        admit(connection);
    dropOver();
}

void TracerServer::workerExited(int rank)
{
    flush();
    m_gate.gone(rank);
}

void TracerServer::flush()
{
    readAll();
    tellUntil(INT64_MAX);
}

bool TracerServer::inject(const InjectFault& fault)
{
    if (fault.globalRank < 0 || find(fault.globalRank) == nullptr)
        return false;
    const auto delay = std::chrono::duration_cast<std::chrono::milliseconds>(fault.delay);
    send(fault.globalRank, faultFrame(nameOf(fault.kind), delay.count()));
    return true;
}

void TracerServer::releaseAll()
{
    // A tracer whose gate is gone lets its program run.
    m_acceptable.cancel();
    m_listener.close();
    m_connections.clear();
}

void TracerServer::acceptOne()
{
    FileDescriptor socket = m_spare.accept(m_listener.get());
    if (!socket.isOpen() || m_connections.size() >= MostConnections)
        return;
    const auto peer = peerOf(socket.get());
    if (!peer || peer->uid != ::geteuid()) {
        log::warning("lesson", "a tracer of another user was refused");
        return;
    }
    Connection& connection = m_connections.emplace_back();
    connection.socket = std::move(socket);
    connection.pid = peer->pid;
    admit(connection);
    dropOver();
}

/// Nobody is listened to before it is known to be a rank. What a worker has started isn't: once all
/// workers are known, it is sent away.
void TracerServer::admit(Connection& connection)
{
    if (connection.rank >= 0)
        return;
    const auto worker = m_workers.find(connection.pid);
    if (worker != m_workers.end()) {
        connection.rank = worker->second;
        connection.readable = m_loop.watchReadable(connection.socket.get(), [this] { readAll(); });
        m_gate.came(connection.rank);
    } else if (m_workers.size() == m_ranks) {
        connection.isOver = true;
    }
}

void TracerServer::readAll()
{
    // What was written before `now` is there when all have been read after it; whatever a message
    // depends on was written before it.
    const std::int64_t now = monotonicNow();
    for (Connection& connection : m_connections)
        read(connection);
    tellUntil(now);
    dropOver();
    if (!m_heard.empty())
        m_loop.post([this, alive = std::weak_ptr(m_alive)] {
            if (!alive.expired())
                readAll();
        });
}

void TracerServer::read(Connection& connection)
{
    std::array<char, BytesARead> buffer{};
    const int rounds = connection.rank < 0 ? 0 : ReadsARound;
    for (int round = 0; round < rounds && !connection.isOver; ++round) {
        const ssize_t got =
            ::recv(connection.socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            break;
        if (got <= 0) {
            connection.isOver = true;
            break;
        }
        connection.frames.append({buffer.data(), static_cast<size_t>(got)});
        while (!connection.isOver && connection.frames.hasNext()) {
            auto message = connection.frames.next().and_then(
                [](const std::string& text) { return parseTracerMessage(text); });
            if (message)
                take(connection, *std::move(message));
            else
                connection.isOver = true;
        }
    }
}

void TracerServer::take(Connection& connection, TracerMessage message)
{
    if (std::holds_alternative<TracerHello>(message))
        return;
    std::int64_t atNs = 0;
    if (auto* step = std::get_if<LessonStep>(&message)) {
        step->globalRank = connection.rank;
        step->attempt = m_attempt;
        atNs = step->atNs;
    } else if (const auto* held = std::get_if<TracerHeld>(&message)) {
        atNs = held->atNs;
    }
    m_heard.push_back({atNs, connection.rank, std::move(message)});
}

void TracerServer::tellUntil(std::int64_t now)
{
    if (!std::ranges::is_sorted(m_heard, {}, &Heard::atNs))
        std::ranges::stable_sort(m_heard, {}, &Heard::atNs);
    const auto end = std::ranges::upper_bound(m_heard, now, {}, &Heard::atNs);
    const std::vector<Heard> due(std::make_move_iterator(m_heard.begin()),
                                 std::make_move_iterator(end));
    m_heard.erase(m_heard.begin(), end);
    for (const Heard& heard : due)
        tell(heard);
}

void TracerServer::tell(const Heard& heard)
{
    if (std::holds_alternative<TracerHeld>(heard.message))
        return m_gate.held(heard.rank);
    if (m_steps > m_setting.mostSteps)
        return;
    LessonStep step = std::get<LessonStep>(heard.message);
    step.isFree = m_gate.isFree();
    if (++m_steps > m_setting.mostSteps) {
        step = {.attempt = m_attempt,
                .globalRank = heard.rank,
                .kind = LessonStep::Kind::Limit,
                .atNs = step.atNs,
                .file = step.file,
                .line = step.line};
        m_setting.happened(step);
        m_gate.move({.move = MoveLesson::Move::Hold});
        return m_setting.tooLong();
    }
    m_setting.happened(step);
    m_gate.took(step, m_steps - 1);
}

void TracerServer::dropOver()
{
    for (auto connection = m_connections.begin(); connection != m_connections.end();) {
        if (!connection->isOver) {
            ++connection;
            continue;
        }
        const int rank = connection->rank;
        connection = m_connections.erase(connection);
        if (rank >= 0)
            m_gate.gone(rank);
    }
}

void TracerServer::send(int rank, const std::string& frame)
{
    // A few bytes into an empty buffer: one that can't take them belongs to a tracer that is gone.
    if (Connection* connection = find(rank))
        (void)::send(connection->socket.get(), frame.data(), frame.size(),
                     MSG_DONTWAIT | MSG_NOSIGNAL);
}

TracerServer::Connection* TracerServer::find(int rank)
{
    const auto found = std::ranges::find(m_connections, rank, &Connection::rank);
    return found == m_connections.end() ? nullptr : &*found;
}

} // namespace ringmaster::lesson
