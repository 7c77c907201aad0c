#include "engine/store/StoreProtocol.h"

#include "engine/base/Codes.h"
#include "engine/store/Codes.h"

#include <array>

namespace ringmaster {

using wire::Opcode;

namespace {

/// What follows the opcode: strings, or a count and strings, and then an integer.
struct Layout
{
    std::uint8_t strings = 0;
    std::uint8_t stringsPerCounted = 0; ///< Not 0: a count comes first.
    std::uint8_t integerBytes = 0;
};

constexpr auto Layouts = [] {
    std::array<Layout, wire::OpcodeCount> layouts{};
    const auto of = [&](Opcode opcode) -> Layout& { return layouts[static_cast<size_t>(opcode)]; };
    of(Opcode::Validate) = of(Opcode::Ping) = {.integerBytes = 4};
    of(Opcode::Set) = of(Opcode::Append) = of(Opcode::QueuePush) = {.strings = 2};
    of(Opcode::CompareSet) = {.strings = 3};
    of(Opcode::Get) = of(Opcode::DeleteKey) = {.strings = 1};
    of(Opcode::QueuePop) = of(Opcode::QueueLength) = {.strings = 1};
    of(Opcode::Add) = {.strings = 1, .integerBytes = 8};
    of(Opcode::Check) = of(Opcode::Wait) = of(Opcode::MultiGet) = {.stringsPerCounted = 1};
    of(Opcode::MultiSet) = {.stringsPerCounted = 2};
    return layouts;
}();

constexpr const Layout& layoutOf(Opcode opcode)
{
    return Layouts[static_cast<size_t>(opcode)];
}

constexpr size_t LengthBytes = sizeof(std::uint64_t);

} // namespace

StoreRequestScanner::Progress StoreRequestScanner::scan(std::string_view bytes)
{
    const bool complete = (m_position != 0 || scanHeader(bytes)) && scanStrings(bytes);
    if (m_fault != Fault::None)
        return Progress::Malformed;
    const size_t integerBytes = complete ? layoutOf(m_opcode).integerBytes : 0;
    if (!complete || bytes.size() - m_position < integerBytes)
        return Progress::Incomplete;
    m_position += integerBytes;
    return Progress::Complete;
}

bool StoreRequestScanner::scanHeader(std::string_view bytes)
{
    if (bytes.empty())
        return false;
    const auto opcode = static_cast<std::uint8_t>(bytes.front());
    if (opcode >= wire::OpcodeCount) {
        m_fault = Fault::UnknownOpcode;
        return false;
    }
    m_opcode = static_cast<Opcode>(opcode);
    const Layout& layout = layoutOf(m_opcode);
    m_strings = layout.strings;
    if (layout.stringsPerCounted == 0) {
        m_position = 1;
        return true;
    }
    if (bytes.size() < 1 + LengthBytes)
        return false;
    const auto count = wire::readInteger<std::uint64_t>(bytes, 1);
    if (count > wire::KeysPerRequestLimit) {
        m_fault = Fault::TooManyKeys;
        return false;
    }
    m_strings = static_cast<std::uint32_t>(count * layout.stringsPerCounted);
    m_position = 1 + LengthBytes;
    return true;
}

bool StoreRequestScanner::scanStrings(std::string_view bytes)
{
    for (; m_stringsDone < m_strings; ++m_stringsDone) {
        if (bytes.size() - m_position < LengthBytes)
            return false;
        const auto length = wire::readInteger<std::uint64_t>(bytes, m_position);
        const bool isKey = nextIsKey();
        if (length > (isKey ? wire::KeyLimit : wire::ValueLimit)) {
            m_fault = isKey ? Fault::KeyTooLong : Fault::ValueTooLong;
            return false;
        }
        if (m_position + LengthBytes + length > wire::RequestLimit) {
            m_fault = Fault::RequestTooLong;
            return false;
        }
        if (bytes.size() - m_position - LengthBytes < length)
            return false;
        m_position += LengthBytes + length;
    }
    return true;
}

bool StoreRequestScanner::nextIsKey() const
{
    switch (layoutOf(m_opcode).stringsPerCounted) {
    case 1: return true;
    case 2: return m_stringsDone % 2 == 0;
    }
    return m_stringsDone == 0;
}

Error StoreRequestScanner::problem() const
{
    const auto tooLarge = [](const char* what, size_t limit) {
        return Error{
            {code::StoreLimitExceeded, {{"what", what}, {"limit", std::to_string(limit)}}}};
    };
    switch (m_fault) {
    case Fault::None: break;
    case Fault::UnknownOpcode:
        return Error{{code::StoreProtocolViolation, {{"what", "unknown operation"}}}};
    case Fault::KeyTooLong: return tooLarge("bytes of a key", wire::KeyLimit);
    case Fault::ValueTooLong: return tooLarge("bytes of a value", wire::ValueLimit);
    case Fault::TooManyKeys: return tooLarge("keys", wire::KeysPerRequestLimit);
    case Fault::RequestTooLong: return tooLarge("bytes of a request", wire::RequestLimit);
    }
    return Error{{code::InternalError, {{"what", "no problem to report"}}}};
}

void decodeStoreRequest(std::string_view bytes, StoreRequest& request)
{
    request.opcode = static_cast<Opcode>(bytes.front());
    request.strings.clear();
    const Layout& layout = layoutOf(request.opcode);
    size_t position = layout.stringsPerCounted == 0 ? 1 : 1 + LengthBytes;
    while (bytes.size() - position > layout.integerBytes) {
        const auto length = wire::readInteger<std::uint64_t>(bytes, position);
        request.strings.push_back(bytes.substr(position + LengthBytes, length));
        position += LengthBytes + length;
    }
    if (layout.integerBytes == sizeof request.word)
        request.word = wire::readInteger<std::uint32_t>(bytes, position);
    else if (layout.integerBytes == sizeof request.number)
        request.number = wire::readInteger<std::int64_t>(bytes, position);
}

} // namespace ringmaster
