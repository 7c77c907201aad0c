#include "engine/control/ByteChannel.h"

#include "engine/base/Codes.h"
#include "engine/base/Thread.h"
#include "engine/control/Codes.h"

#include <array>
#include <cerrno>
#include <string>
#include <thread>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr size_t MostNoise = 64U << 10U;

/// One direction: what was read from `source` and isn't written to `sink` yet.
class Flow
{
public:
    Flow(int source, int sink) : m_source(source), m_sink(sink) {}

    bool wantsInput() const { return !m_ended && m_begin == m_end; }
    bool wantsOutput() const { return m_begin < m_end; }
    bool isOver() const { return m_ended && !wantsOutput(); }
    int source() const { return m_source; }
    int sink() const { return m_sink; }

    void take()
    {
        const ssize_t count = ::read(m_source, m_buffer.data(), m_buffer.size());
        if (count < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        m_ended = count <= 0;
        m_begin = 0;
        m_end = static_cast<size_t>(std::max<ssize_t>(count, 0));
    }

    void give()
    {
        const ssize_t count = ::write(m_sink, m_buffer.data() + m_begin, m_end - m_begin);
        if (count < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (count < 0) {
            m_ended = true;
            m_begin = m_end = 0;
            return;
        }
        m_begin += static_cast<size_t>(count);
    }

private:
    int m_source;
    int m_sink;
    bool m_ended = false;
    size_t m_begin = 0;
    size_t m_end = 0;
    std::array<char, 64U << 10U> m_buffer{};
};

/// Reads byte by byte, so that nothing behind the sentinel is taken.
Result<void> skipToSentinel(int input, std::chrono::milliseconds patience)
{
    const auto limit = std::chrono::steady_clock::now() + patience;
    std::string seen;
    while (seen.size() < MostNoise) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            limit - std::chrono::steady_clock::now());
        pollfd wait{input, POLLIN, 0};
        if (left.count() <= 0 || ::poll(&wait, 1, static_cast<int>(left.count())) == 0)
            return fail(code::ChannelWithoutAgent, {}, "it said nothing in time");
        char byte = 0;
        const ssize_t count = ::read(input, &byte, 1);
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (count <= 0)
            return fail(code::ChannelWithoutAgent, {}, seen.empty() ? "it closed" : seen);
        seen += byte;
        if (seen.ends_with(ByteChannel::Sentinel))
            return {};
    }
    return fail(code::ChannelWithoutAgent, {}, seen.substr(0, 1000));
}

} // namespace

class ByteChannel::Pump
{
public:
    Pump(FileDescriptor input, FileDescriptor output, FileDescriptor socket, FileDescriptor wake)
        : m_input(std::move(input))
        , m_output(std::move(output))
        , m_socket(std::move(socket))
        , m_wake(std::move(wake))
    {
    }

    Result<void> start()
    {
        m_thread = RM_TRY(startThread("rm-channel", [this] { run(); }));
        return {};
    }

    void run();

    ~Pump()
    {
        const std::uint64_t one = 1;
        (void)!::write(m_wake.get(), &one, sizeof one); // can't fail on an eventfd that is at 0
        if (m_thread.joinable())
            m_thread.join();
    }

private:
    bool waitFor(const Flow& in, const Flow& out, std::array<pollfd, 5>& ready) const;

    FileDescriptor m_input;
    FileDescriptor m_output;
    FileDescriptor m_socket;
    FileDescriptor m_wake;
    std::thread m_thread;
};

bool ByteChannel::Pump::waitFor(const Flow& in, const Flow& out, std::array<pollfd, 5>& ready) const
{
    const auto request = [](int fd, bool wanted, short what) {
        return pollfd{wanted ? fd : -1, what, 0};
    };
    ready = {request(m_wake.get(), true, POLLIN), request(in.source(), in.wantsInput(), POLLIN),
             request(in.sink(), in.wantsOutput(), POLLOUT),
             request(out.source(), out.wantsInput(), POLLIN),
             request(out.sink(), out.wantsOutput(), POLLOUT)};
    while (::poll(ready.data(), ready.size(), -1) < 0) {
        if (errno != EINTR)
            return false;
    }
    return ready[0].revents == 0;
}

void ByteChannel::Pump::run()
{
    const auto in = std::make_unique<Flow>(m_input.get(), m_socket.get());
    const auto out = std::make_unique<Flow>(m_socket.get(), m_output.get());
    std::array<pollfd, 5> ready{};
    // Either direction's end is the end: HTTP/2 has no use for half a connection.
    while (!in->isOver() && !out->isOver() && waitFor(*in, *out, ready)) {
        if (ready[1].revents != 0)
            in->take();
        if (ready[2].revents != 0)
            in->give();
        if (ready[3].revents != 0)
            out->take();
        if (ready[4].revents != 0)
            out->give();
    }
    ::shutdown(m_socket.get(), SHUT_RDWR);
    m_output.close();
    m_input.close();
}

ByteChannel::ByteChannel() = default;
ByteChannel::ByteChannel(ByteChannel&&) noexcept = default;
ByteChannel& ByteChannel::operator=(ByteChannel&&) noexcept = default;
ByteChannel::~ByteChannel() = default;

Result<ByteChannel> ByteChannel::serve(FileDescriptor input, FileDescriptor output)
{
    RM_TRY(writeAll(output.get(), Sentinel));
    return carry(std::move(input), std::move(output));
}

Result<ByteChannel> ByteChannel::connect(FileDescriptor input, FileDescriptor output,
                                         std::chrono::milliseconds patience)
{
    RM_TRY(skipToSentinel(input.get(), patience));
    return carry(std::move(input), std::move(output));
}

Result<ByteChannel> ByteChannel::carry(FileDescriptor input, FileDescriptor output)
{
    auto [ours, theirs] = RM_TRY(makeSocketPair(SOCK_STREAM));
    for (const int fd : {input.get(), output.get(), ours.get(), theirs.get()})
        RM_TRY(setNonBlocking(fd));
    FileDescriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wake.isOpen())
        return fail(code::SystemCallFailed, {{"call", "eventfd"}}, errnoText(errno));
    ByteChannel channel;
    channel.m_pump = std::make_unique<Pump>(std::move(input), std::move(output), std::move(ours),
                                            std::move(wake));
    RM_TRY(channel.m_pump->start());
    channel.m_socket = std::move(theirs);
    return channel;
}

Result<void> ByteChannel::relay(FileDescriptor input, FileDescriptor output, FileDescriptor socket)
{
    for (const int fd : {input.get(), output.get(), socket.get()})
        RM_TRY(setNonBlocking(fd));
    FileDescriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wake.isOpen())
        return fail(code::SystemCallFailed, {{"call", "eventfd"}}, errnoText(errno));
    Pump(std::move(input), std::move(output), std::move(socket), std::move(wake)).run();
    return {};
}

FileDescriptor ByteChannel::takeSocket()
{
    return std::move(m_socket);
}

} // namespace ringmaster
