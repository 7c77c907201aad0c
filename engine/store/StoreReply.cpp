#include "engine/store/StoreReply.h"

#include "engine/store/Codes.h"
#include "engine/store/StoreWire.h"

namespace ringmaster {

namespace {

template <class T>
bool readNumber(std::string_view bytes, std::int64_t& number, size_t& position)
{
    if (bytes.size() < sizeof(T))
        return false;
    number = static_cast<std::int64_t>(wire::readInteger<T>(bytes));
    position = sizeof(T);
    return true;
}

} // namespace

Result<bool> StoreReplyReader::read(std::string_view bytes)
{
    switch (m_kind) {
    case Kind::Byte: return readNumber<std::uint8_t>(bytes, m_reply.number, m_position);
    case Kind::Word: return readNumber<std::uint32_t>(bytes, m_reply.number, m_position);
    case Kind::Integer: return readNumber<std::int64_t>(bytes, m_reply.number, m_position);
    case Kind::Text:
    case Kind::Texts: return readTexts(bytes);
    case Kind::CountedTexts:
        if (m_position == 0) {
            if (!readNumber<std::int64_t>(bytes, m_reply.number, m_position))
                return false;
            m_texts = static_cast<std::uint64_t>(m_reply.number);
        }
        return readTexts(bytes);
    }
    return false;
}

Result<bool> StoreReplyReader::readTexts(std::string_view bytes)
{
    constexpr size_t LengthBytes = sizeof(std::uint64_t);
    while (m_reply.texts.size() < m_texts) {
        if (bytes.size() - m_position < LengthBytes)
            return false;
        const auto length = wire::readInteger<std::uint64_t>(bytes, m_position);
        if (length > TextLimit || m_position + LengthBytes + length > ReplyLimit)
            return fail(code::StoreProtocolViolation,
                        {{"what", "it announces a reply of " + std::to_string(length) + " bytes"}});
        if (bytes.size() - m_position - LengthBytes < length)
            return false;
        m_reply.texts.emplace_back(bytes.substr(m_position + LengthBytes, length));
        m_position += LengthBytes + length;
    }
    return true;
}

} // namespace ringmaster
