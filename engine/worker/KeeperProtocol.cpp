#include "engine/worker/KeeperProtocol.h"

#include "engine/base/ByteCursor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <type_traits>

#include <sys/socket.h>

namespace ringmaster::keeper {

namespace {

constexpr std::size_t HeaderBytes = 8;
constexpr std::size_t ReadBytes = 64U << 10U;
constexpr std::size_t MostStrings = 1U << 20U; ///< Linux takes fewer arguments, however short.

template <class Type>
constexpr bool IsNumber = std::is_integral_v<Type> || std::is_enum_v<Type>;

class Writer
{
public:
    template <class... Values>
    void operator()(const Values&... values)
    {
        (put(values), ...);
    }

    std::string bytes;

private:
    template <class Number>
    requires IsNumber<Number>
    void put(Number number)
    {
        std::array<char, sizeof number> raw{};
        std::memcpy(raw.data(), &number, sizeof number);
        bytes.append(raw.data(), raw.size());
    }

    void put(const Moment& moment)
    {
        put(moment.monotonicNs);
        put(moment.wallNs);
    }

    void put(const std::string& text)
    {
        put(static_cast<std::uint32_t>(text.size()));
        bytes += text;
    }

    void put(const std::vector<std::string>& list)
    {
        put(static_cast<std::uint32_t>(list.size()));
        for (const std::string& text : list)
            put(text);
    }
};

class Parser
{
public:
    explicit Parser(std::string_view bytes) : m_bytes(bytes) {}

    template <class... Values>
    void operator()(Values&... values)
    {
        (take(values), ...);
    }

    /// All of it was there, and nothing else.
    bool succeeded() const { return isGood() && m_bytes.left() == 0; }

private:
    template <class Number>
    requires IsNumber<Number>
    void take(Number& number) { number = static_cast<Number>(m_bytes.takeNumber(sizeof number)); }

    /// Written as 0 or 1, and as nothing else.
    void take(bool& value)
    {
        const std::uint64_t number = m_bytes.takeNumber(sizeof value);
        m_isWrong = m_isWrong || number > 1;
        value = number == 1;
    }

    bool isGood() const { return !m_isWrong && !m_bytes.hasEndedEarly(); }

    void take(Moment& moment)
    {
        take(moment.monotonicNs);
        take(moment.wallNs);
    }

    void take(std::string& text)
    {
        std::uint32_t size = 0;
        take(size);
        text = m_bytes.take(size);
    }

    void take(std::vector<std::string>& list)
    {
        std::uint32_t size = 0;
        take(size);
        m_isWrong = m_isWrong || size > MostStrings;
        for (std::uint32_t i = 0; isGood() && i < size; ++i)
            take(list.emplace_back());
    }

    ByteCursor m_bytes;
    bool m_isWrong = false;
};

/// The fields of each frame, once for both directions.
template <class Visitor, class SomeFrame>
void visitFields(Visitor& visit, SomeFrame& frame)
{
    using Type = std::remove_const_t<SomeFrame>;
    if constexpr (std::is_same_v<Type, Hello>)
        visit(frame.pid);
    else if constexpr (std::is_same_v<Type, Launch>)
        visit(frame.localRank, frame.ignoreHangup, frame.arguments, frame.environment,
              frame.workingFolder);
    else if constexpr (std::is_same_v<Type, Signal> || std::is_same_v<Type, Stop>)
        visit(frame.localRank, frame.number);
    else if constexpr (std::is_same_v<Type, KillAll> || std::is_same_v<Type, AllGone>)
        visit(frame.request);
    else if constexpr (std::is_same_v<Type, SessionEnded>)
        visit(frame.localRank);
    else if constexpr (std::is_same_v<Type, Started>)
        visit(frame.localRank, frame.pid, frame.at);
    else if constexpr (std::is_same_v<Type, NotStarted>)
        visit(frame.localRank, frame.step, frame.error, frame.path);
    else
        visit(frame.localRank, frame.pid, frame.exit.code, frame.exit.signal, frame.exit.coreDumped,
              frame.exit.descendantsLeft, frame.exit.userNs, frame.exit.systemNs,
              frame.exit.maxResidentBytes, frame.exit.at, frame.exit.wasTold);
}

struct Header
{
    std::uint32_t length = 0;
    std::uint8_t version = ProtocolVersion;
    std::uint8_t type = 0;
    std::uint16_t descriptors = 0;
};
static_assert(sizeof(Header) == HeaderBytes);

template <std::size_t Index = 0>
std::optional<Frame> decode(std::size_t type, std::string_view payload)
{
    if constexpr (Index < std::variant_size_v<Frame>) {
        if (type != Index)
            return decode<Index + 1>(type, payload);
        std::variant_alternative_t<Index, Frame> frame;
        Parser parser(payload);
        visitFields(parser, frame);
        if (parser.succeeded())
            return frame;
    }
    return std::nullopt;
}

} // namespace

std::string encode(const Frame& frame, std::size_t descriptors)
{
    Writer writer;
    std::visit([&](const auto& some) { visitFields(writer, some); }, frame);
    Header header;
    header.length = static_cast<std::uint32_t>(writer.bytes.size());
    header.type = static_cast<std::uint8_t>(frame.index());
    header.descriptors = static_cast<std::uint16_t>(descriptors);
    std::string bytes(HeaderBytes, '\0');
    std::memcpy(bytes.data(), &header, HeaderBytes);
    return bytes += writer.bytes;
}

FrameReader::State FrameReader::receive(int socket)
{
    std::array<char, ReadBytes> space;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(MostDescriptors * sizeof(int))> control{};
    for (;;) {
        iovec part{space.data(), space.size()};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        const ssize_t got = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno == EAGAIN ? State::Open : State::Closed;
        for (cmsghdr* item = CMSG_FIRSTHDR(&message); item; item = CMSG_NXTHDR(&message, item)) {
            if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS)
                continue;
            // Padding leaves room for one more than asked for.
            std::array<int, MostDescriptors + 1> received{};
            const std::size_t count =
                std::min((item->cmsg_len - CMSG_LEN(0)) / sizeof(int), received.size());
            std::memcpy(received.data(), CMSG_DATA(item), count * sizeof(int));
            for (std::size_t i = 0; i < count; ++i)
                m_descriptors.emplace_back(received[i]);
        }
        if (got == 0)
            return State::Closed;
        m_broken = m_broken || (message.msg_flags & MSG_CTRUNC) != 0;
        m_buffer.append(space.data(), static_cast<std::size_t>(got));
        if (m_broken || m_buffer.size() > LongestPayload + ReadBytes)
            return State::Open;
    }
}

std::optional<ReceivedFrame> FrameReader::next()
{
    const std::string_view waiting = std::string_view(m_buffer).substr(m_consumed);
    Header header;
    if (m_broken || waiting.size() < HeaderBytes)
        return std::nullopt;
    std::memcpy(&header, waiting.data(), HeaderBytes);
    if (header.version != ProtocolVersion || header.length > LongestPayload ||
        header.descriptors > MostDescriptors) {
        m_broken = true;
        return std::nullopt;
    }
    if (waiting.size() < HeaderBytes + header.length)
        return std::nullopt;
    std::optional<Frame> frame = decode(header.type, waiting.substr(HeaderBytes, header.length));
    std::vector<FileDescriptor> descriptors;
    if (!frame || !takeDescriptors(header.descriptors, descriptors)) {
        m_broken = true;
        return std::nullopt;
    }
    m_consumed += HeaderBytes + header.length;
    if (m_consumed == m_buffer.size() || m_consumed > LongestPayload) {
        m_buffer.erase(0, m_consumed);
        m_consumed = 0;
    }
    return ReceivedFrame{std::move(*frame), std::move(descriptors)};
}

bool FrameReader::takeDescriptors(std::size_t count, std::vector<FileDescriptor>& taken)
{
    for (; count > 0 && !m_descriptors.empty(); --count) {
        taken.push_back(std::move(m_descriptors.front()));
        m_descriptors.pop_front();
    }
    return count == 0;
}

} // namespace ringmaster::keeper
