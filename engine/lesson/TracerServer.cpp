#include "engine/lesson/TracerServer.h"

#include "engine/base/Clock.h"
#include "engine/base/Log.h"
#include "engine/lesson/Faults.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <sys/inotify.h>
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
    , m_changes(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
    , m_acceptable(loop.watchReadable(m_listener.get(), [this] { acceptWaiting(); }))
{
    if (!m_changes.isOpen()) {
        log::warning("lesson", "no inotify: a ring's chunks are read with the next step");
        return;
    }
    m_changed = loop.watchReadable(m_changes.get(), [this] {
        std::array<char, BytesARead> ignored{};
        while (::read(m_changes.get(), ignored.data(), ignored.size()) > 0)
            continue;
        readAll();
    });
}

TracerServer::~TracerServer() = default;

void TracerServer::attemptStarted(int attempt, int ranks)
{
    flush();
    m_connections.clear();
    m_workers.clear();
    m_places.clear();
    m_letGo.clear();
    m_freed.clear();
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
    acceptWaiting();
    // Rather all than for ever, should a worker write faster than it is read.
    constexpr int MostRounds = 256;
    for (int round = 0; round < MostRounds && !readAll(); ++round)
        continue;
}

bool TracerServer::inject(const InjectFault& fault)
{
    if (fault.globalRank < 0 || find(fault.globalRank) == nullptr)
        return false;
    const auto delay = std::chrono::duration_cast<std::chrono::milliseconds>(fault.delay);
    send(fault.globalRank, faultFrame(nameOf(fault.kind), delay.count()));
    return true;
}

void TracerServer::go(int rank)
{
    m_letGo[rank] = {rank, monotonicNow()};
    send(rank, goFrame(1));
}

void TracerServer::setFree(int rank, bool isFree)
{
    if (isFree) {
        m_letGo[rank] = {rank, monotonicNow()};
        m_freed.insert(rank);
    } else if (m_freed.erase(rank) > 0) {
        m_letGo[rank] = {rank, 0};
    }
    send(rank, freeFrame(isFree));
}

void TracerServer::acceptWaiting()
{
    for (size_t accepted = 0; accepted < MostConnections; ++accepted) {
        FileDescriptor socket = m_spare.accept(m_listener.get());
        if (!socket.isOpen())
            break;
        add(std::move(socket));
    }
    dropOver();
}

void TracerServer::add(FileDescriptor socket)
{
    if (m_connections.size() >= MostConnections)
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

/// False: there was more than is read at once.
bool TracerServer::readAll()
{
    const std::int64_t now = monotonicNow();
    std::int64_t until = now;
    for (Connection& connection : m_connections)
        if (!read(connection))
            until = std::min(until, connection.heardUntil);
    // A chunk's group, and the file, have been told before the chunk was written.
    for (Connection& connection : m_connections)
        if (!readChunks(connection))
            until = std::min(until, connection.chunksUntil);
    tellUntil(until);
    dropOver();
    if (!m_heard.empty() || until < now)
        readSoon();
    return until == now;
}

void TracerServer::readSoon()
{
    m_loop.post([this, alive = std::weak_ptr(m_alive)] {
        if (!alive.expired())
            readAll();
    });
}

/// False: there is more.
bool TracerServer::read(Connection& connection)
{
    std::array<char, BytesARead> buffer{};
    if (connection.rank < 0)
        return true;
    for (int round = 0; round < ReadsARound && !connection.isOver; ++round) {
        const ssize_t got = receive(connection, buffer);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return true;
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
    return connection.isOver;
}

/// With the bytes may come the file in which the rank's ring tells its chunks.
ssize_t TracerServer::receive(Connection& connection, std::span<char> buffer)
{
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    iovec bytes{buffer.data(), buffer.size()};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got =
        ::recvmsg(connection.socket.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    const cmsghdr* head = got > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
    if (head != nullptr && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS &&
        head->cmsg_len == CMSG_LEN(sizeof(int))) {
        int file = -1;
        std::memcpy(&file, CMSG_DATA(head), sizeof(file));
        takeFile(connection, FileDescriptor(file));
    }
    return got;
}

void TracerServer::takeFile(Connection& connection, FileDescriptor file)
{
    if (connection.chunks)
        return;
    connection.chunks = RingChunks::open(std::move(file));
    if (!connection.chunks)
        return log::warning("lesson", "a rank gave a file that isn't one in memory");
    const std::string path = "/proc/self/fd/" + std::to_string(connection.chunks->file());
    (void)::inotify_add_watch(m_changes.get(), path.c_str(), IN_MODIFY);
}

/// False: there are more.
bool TracerServer::readChunks(Connection& connection)
{
    if (!connection.chunks)
        return true;
    std::vector<LessonStep> steps;
    connection.isRead = connection.chunks->read(steps);
    for (LessonStep& step : steps) {
        step.globalRank = connection.rank;
        step.attempt = m_attempt;
        step.atNs = std::clamp(step.atNs, connection.chunksUntil, monotonicNow());
        connection.chunksUntil = step.atNs;
        m_heard.push_back({step.atNs, connection.rank, std::move(step)});
    }
    return connection.isRead;
}

void TracerServer::take(Connection& connection, TracerMessage message)
{
    std::int64_t atNs = 0;
    if (auto* step = std::get_if<LessonStep>(&message)) {
        step->globalRank = connection.rank;
        step->attempt = m_attempt;
        atNs = step->atNs;
    } else if (const auto* held = std::get_if<TracerHeld>(&message)) {
        atNs = held->atNs;
    } else if (auto* group = std::get_if<TracerGroup>(&message)) {
        if (connection.chunks)
            connection.chunks->addGroup(std::move(*group));
        return;
    } else {
        return;
    }
    // Its times don't go backwards, nor ahead.
    atNs = std::clamp(atNs, connection.heardUntil, monotonicNow());
    connection.heardUntil = atNs;
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
    if (step.line > 0) {
        m_places[heard.rank] = {.file = step.file, .line = step.line, .function = step.function};
    } else if (const auto place = m_places.find(heard.rank);
               place != m_places.end() && step.chunk != LessonChunk{}) {
        step.file = place->second.file;
        step.line = place->second.line;
        step.function = place->second.function;
    }
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
    for (const auto& [rank, letGo] : std::exchange(m_letGo, {}))
        step.letGo.push_back(letGo);
    m_setting.happened(step);
    m_gate.took(step, m_steps - 1);
}

void TracerServer::dropOver()
{
    for (auto connection = m_connections.begin(); connection != m_connections.end();) {
        if (!connection->isOver || !connection->isRead) {
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
