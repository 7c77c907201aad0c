#include "engine/node/LedgerSocket.h"

#include "engine/base/DescriptorPassing.h"
#include "engine/control/LocalSocket.h"

#include <array>
#include <cerrno>
#include <charconv>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr size_t LongestQuestion = 16;
constexpr size_t MostVisitors = 1024;

} // namespace

Result<std::unique_ptr<LedgerSocket>>
LedgerSocket::open(EventLoop& loop, const std::filesystem::path& socket, LedgerOf ledgerOf)
{
    auto ledgerSocket =
        std::unique_ptr<LedgerSocket>(new LedgerSocket(loop, socket, std::move(ledgerOf)));
    ledgerSocket->m_listener = RM_TRY(listenLocally(socket));
    RM_TRY(setNonBlocking(ledgerSocket->m_listener.get()));
    ledgerSocket->m_acceptable = loop.watchReadable(
        ledgerSocket->m_listener.get(), [self = ledgerSocket.get()] { self->acceptOne(); });
    return ledgerSocket;
}

LedgerSocket::LedgerSocket(EventLoop& loop, std::filesystem::path socket, LedgerOf ledgerOf)
    : m_loop(loop), m_path(std::move(socket)), m_ledgerOf(std::move(ledgerOf))
{
}

LedgerSocket::~LedgerSocket()
{
    m_acceptable.cancel();
    if (m_listener.isOpen())
        ::unlink(m_path.c_str());
}

std::string LedgerSocket::valueFor(int localRank) const
{
    return "door:" + m_path.string() + "," + std::to_string(localRank);
}

void LedgerSocket::acceptOne()
{
    FileDescriptor connection = m_spare.accept(m_listener.get());
    if (!connection.isOpen() || m_visitors.size() >= MostVisitors)
        return;
    const auto peer = peerOf(connection.get());
    if (!peer || !checkPeer(*peer, ::geteuid()))
        return;
    const int number = connection.get();
    Visitor& visitor = m_visitors[number];
    visitor.socket = std::move(connection);
    visitor.readable = m_loop.watchReadable(number, [this, number] { hear(number); });
}

void LedgerSocket::hear(int number)
{
    Visitor& visitor = m_visitors.at(number);
    std::array<char, LongestQuestion> buffer{};
    const ssize_t count = ::recv(number, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count > 0)
        visitor.asked.append(buffer.data(), static_cast<size_t>(count));
    const bool isWhole = visitor.asked.ends_with('\n');
    if (isWhole)
        answer(visitor);
    if (isWhole || count <= 0 || visitor.asked.size() >= LongestQuestion) {
        visitor.readable.cancel();
        // This runs inside its own registration.
        m_loop.post([this, number] { m_visitors.erase(number); });
    }
}

void LedgerSocket::answer(const Visitor& visitor) const
{
    int localRank = -1;
    std::from_chars(visitor.asked.data(), visitor.asked.data() + visitor.asked.size(), localRank);
    const std::string ledger = m_ledgerOf(localRank);
    const size_t comma = ledger.find(',');
    if (comma == std::string::npos)
        return;
    const FileDescriptor file(::open(ledger.substr(0, comma).c_str(), O_RDWR | O_CLOEXEC));
    const FileDescriptor bell(
        ::open(ledger.substr(comma + 1).c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.isOpen() && bell.isOpen()) {
        // Who is gone has no ledger; it says so itself.
        (void)sendWithDescriptors(visitor.socket.get(), "\n", std::array{file.get(), bell.get()},
                                  MSG_DONTWAIT);
    }
}

} // namespace ringmaster
