#include "engine/control/CommandFrames.h"

#include "engine/base/Codes.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace ringmaster {

namespace {

using Kind = CommandFrame::Kind;

constexpr std::size_t HeaderSize = 5;
constexpr int LargestTerminal = 10'000; ///< Columns, or rows.

tl::unexpected<Error> malformed()
{
    return fail(code::MalformedMessage, {{"what", "command"}});
}

bool isKind(std::uint8_t byte)
{
    switch (static_cast<Kind>(byte)) {
    case Kind::Word:
    case Kind::Folder:
    case Kind::Input:
    case Kind::Terminal:
    case Kind::Start:
    case Kind::Alive:
    case Kind::Output:
    case Kind::Error:
    case Kind::Exit: return true;
    }
    return false;
}

/// "1 0 1 80 24"
std::string textOf(const CommandRequest::Terminal& terminal)
{
    std::string text;
    for (const int value : {int(terminal.hasOutput), int(terminal.hasError),
                            int(terminal.hasColour), terminal.columns, terminal.rows})
        text += (text.empty() ? "" : " ") + std::to_string(value);
    return text;
}

std::optional<CommandRequest::Terminal> terminalOf(const std::string& text)
{
    std::istringstream stream(text);
    CommandRequest::Terminal terminal;
    stream >> terminal.hasOutput >> terminal.hasError >> terminal.hasColour >> terminal.columns >>
        terminal.rows;
    const auto fits = [](int value) { return value > 0 && value <= LargestTerminal; };
    if (stream.fail() || !fits(terminal.columns) || !fits(terminal.rows))
        return std::nullopt;
    return terminal;
}

bool isText(std::string_view word)
{
    return word.find('\0') == std::string_view::npos;
}

} // namespace

std::string encoded(Kind kind, std::string_view body)
{
    const auto size = static_cast<std::uint32_t>(body.size());
    std::string bytes{static_cast<char>(kind)};
    for (const unsigned shift : {24U, 16U, 8U, 0U})
        bytes += static_cast<char>((size >> shift) & 0xffU);
    return bytes.append(body);
}

void CommandFrameReader::add(std::string_view bytes)
{
    m_bytes.erase(0, m_at);
    m_at = 0;
    m_bytes += bytes;
}

Result<std::optional<CommandFrame>> CommandFrameReader::next()
{
    const std::string_view left = std::string_view(m_bytes).substr(m_at);
    if (left.size() < HeaderSize)
        return std::nullopt;
    const auto byte = [&left](std::size_t index) { return static_cast<std::uint8_t>(left[index]); };
    std::size_t size = 0;
    for (std::size_t i = 1; i < HeaderSize; ++i)
        size = size << 8U | byte(i);
    if (!isKind(byte(0)) || size > CommandFrame::LargestBody)
        return malformed();
    if (left.size() - HeaderSize < size)
        return std::nullopt;
    m_at += HeaderSize + size;
    return CommandFrame{static_cast<Kind>(byte(0)), std::string(left.substr(HeaderSize, size))};
}

Result<std::string> encoded(const CommandRequest& request)
{
    std::string bytes;
    std::size_t size = request.input.size();
    for (const std::string& word : request.words) {
        size += word.size();
        if (word.size() > CommandFrame::LargestBody || !isText(word))
            return malformed();
        bytes += encoded(Kind::Word, word);
    }
    if (request.words.size() > CommandRequest::MostWords || size > CommandRequest::MostBytes ||
        request.folder.size() > CommandFrame::LargestBody || !isText(request.folder))
        return malformed();
    if (!request.folder.empty())
        bytes += encoded(Kind::Folder, request.folder);
    for (std::size_t at = 0; at < request.input.size(); at += CommandFrame::LargestBody)
        bytes += encoded(Kind::Input,
                         std::string_view(request.input).substr(at, CommandFrame::LargestBody));
    bytes += encoded(Kind::Terminal, textOf(request.terminal));
    return bytes + encoded(Kind::Start);
}

Result<bool> CommandRequestReader::take(CommandFrame frame)
{
    m_size += frame.body.size();
    if (m_size > CommandRequest::MostBytes + 2 * CommandFrame::LargestBody)
        return malformed();
    switch (frame.kind) {
    case Kind::Word:
        if (m_request.words.size() >= CommandRequest::MostWords || !isText(frame.body))
            return malformed();
        m_request.words.push_back(std::move(frame.body));
        return false;
    case Kind::Folder:
        if (!isText(frame.body))
            return malformed();
        m_request.folder = std::move(frame.body);
        return false;
    case Kind::Input: m_request.input += frame.body; return false;
    case Kind::Terminal: {
        const auto terminal = terminalOf(frame.body);
        if (!terminal)
            return malformed();
        m_request.terminal = *terminal;
        return false;
    }
    case Kind::Start: return true;
    case Kind::Alive:
    case Kind::Output:
    case Kind::Error:
    case Kind::Exit: break;
    }
    return malformed();
}

std::optional<int> exitCodeIn(std::string_view body)
{
    constexpr int Largest = 255;
    int code = 0;
    const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), code);
    const bool isWhole = error == std::errc{} && end == body.data() + body.size();
    return isWhole && code <= Largest && code >= -Largest ? std::optional(code) : std::nullopt;
}

} // namespace ringmaster
