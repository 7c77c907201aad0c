#include "engine/record/TerminalText.h"

#include "engine/record/EightBytes.h"

namespace ringmaster {

namespace {

constexpr char EscapeByte = '\x1B';
constexpr char Bell = '\a';
constexpr char Cancel = '\x18';
constexpr char Substitute = '\x1A';
constexpr std::string_view Replacement = "\xEF\xBF\xBD";

/// By one byte: the replacement of a character that was cut, and a character.
constexpr size_t LongestAppended = Replacement.size() + 4;

/// Longer than any that sets a style.
constexpr size_t LongestParameters = 128;

/// A sequence that doesn't end would swallow everything after it.
constexpr size_t LongestSequence = 4096;

bool isContinuation(unsigned char byte)
{
    return (byte & 0xC0U) == 0x80U;
}

/// The second byte's narrower ranges, which keep out surrogates, overlong forms and what lies
/// above U+10FFFF (Unicode 15, table 3-7).
bool mayFollow(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xE0: return second >= 0xA0 && second <= 0xBF;
    case 0xED: return second >= 0x80 && second <= 0x9F;
    case 0xF0: return second >= 0x90 && second <= 0xBF;
    case 0xF4: return second >= 0x80 && second <= 0x8F;
    }
    return isContinuation(second);
}

size_t followersOf(unsigned char first)
{
    if (first >= 0xC2 && first <= 0xDF)
        return 1;
    if (first >= 0xE0 && first <= 0xEF)
        return 2;
    return first >= 0xF0 && first <= 0xF4 ? 3 : 0;
}

/// U+0080 to U+009F: terminals take them for escape sequences.
bool isC1Control(std::string_view character)
{
    return character.size() == 2 && character[0] == '\xC2' &&
           static_cast<unsigned char>(character[1]) < 0xA0;
}

/// Whether all eight bytes are ASCII from space to tilde.
bool isPrintable(std::uint64_t bytes)
{
    const std::uint64_t low = (bytes - eightOf(0x20)) & ~bytes;
    return ((bytes | low) & eightOf(0x80)) == 0 && zeroBytesIn(bytes ^ eightOf(0x7F)) == 0;
}

/// The length of the whole and valid character that begins here, which isn't ASCII; 0: it isn't
/// one.
size_t characterLength(std::string_view input)
{
    const auto byteAt = [&](size_t i) { return static_cast<unsigned char>(input[i]); };
    const size_t length = followersOf(byteAt(0)) + 1;
    if (length == 1 || input.size() < length || !mayFollow(byteAt(0), byteAt(1)))
        return 0;
    for (size_t i = 2; i < length; ++i) {
        if (!isContinuation(byteAt(i)))
            return 0;
    }
    return isC1Control(input.substr(0, length)) ? 0 : length;
}

} // namespace

size_t TerminalText::plainLength(std::string_view input, Newlines newlines)
{
    size_t at = 0;
    while (at < input.size()) {
        if (input.size() - at >= 8 && isPrintable(eightBytesAt(input.data() + at))) {
            at += 8;
            continue;
        }
        const auto byte = static_cast<unsigned char>(input[at]);
        if ((byte >= 0x20 && byte < 0x7F) || byte == '\t' ||
            (byte == '\n' && newlines == Newlines::Plain)) {
            ++at;
            continue;
        }
        const size_t length = byte < 0x80 ? 0 : characterLength(input.substr(at));
        if (length == 0)
            break;
        at += length;
    }
    return at;
}

TerminalText::Stop TerminalText::read(std::string_view& input, size_t limit)
{
    while (!input.empty()) {
        takePlain(input, limit);
        if (input.empty())
            break;
        const char byte = input.front();
        const bool isFull = m_text.size() + LongestAppended > limit;
        if (byte != '\n' && isFull && !m_isRedrawn && m_escape == Escape::None)
            return Stop::Full;
        input.remove_prefix(1);
        if (byte == '\n') {
            endOfInput();
            return Stop::Newline;
        }
        take(byte);
    }
    return Stop::InputEnd;
}

/// Most of what is printed is plain, and is taken at once where it certainly fits.
void TerminalText::takePlain(std::string_view& input, size_t limit)
{
    if (m_escape != Escape::None || m_missing > 0 || m_text.size() + LongestAppended > limit)
        return;
    const size_t room = limit - m_text.size() - LongestAppended;
    const size_t length = plainLength(input.substr(0, room));
    if (length == 0)
        return;
    append(input.substr(0, length));
    input.remove_prefix(length);
}

void TerminalText::clear()
{
    clearText();
    m_style = {};
    m_character.clear();
    m_missing = 0;
    m_escape = Escape::None;
    m_isRedrawn = false;
}

void TerminalText::endOfInput()
{
    if (m_missing > 0)
        appendInvalid();
}

void TerminalText::take(char byte)
{
    if (m_escape != Escape::None && m_escapeLength++ < LongestSequence) {
        takeEscape(byte);
        return;
    }
    m_escape = Escape::None;
    const auto value = static_cast<unsigned char>(byte);
    if (m_missing > 0 && !isContinuation(value))
        appendInvalid();
    if (value < 0x20 || value == 0x7F)
        takeControl(byte);
    else
        takeText(value);
}

/// ECMA-48: ESC [ … a final byte from @ to ~; ESC ] P X ^ _ … until BEL or ESC \; ESC and spaces
/// to slashes and a final byte; ESC and one byte.
void TerminalText::takeEscape(char byte)
{
    if (byte == Cancel || byte == Substitute) {
        m_escape = Escape::None;
        return;
    }
    switch (m_escape) {
    case Escape::None: return;
    case Escape::Begin:
        if (byte == '[') {
            m_escape = Escape::Control;
            m_parameters.clear();
        } else if (std::string_view("]PX^_").find(byte) != std::string_view::npos)
            m_escape = Escape::String;
        else if (byte >= ' ' && byte <= '/')
            m_escape = Escape::Intermediate;
        else if (byte != EscapeByte)
            m_escape = Escape::None;
        return;
    case Escape::Intermediate:
        if (byte < ' ' || byte > '/')
            m_escape = Escape::None;
        return;
    case Escape::Control: takeParameter(byte); return;
    case Escape::String:
        if (byte == Bell)
            m_escape = Escape::None;
        else if (byte == EscapeByte)
            m_escape = Escape::StringEnd;
        return;
    case Escape::StringEnd: m_escape = byte == '\\' ? Escape::None : Escape::String; return;
    }
}

/// Of ESC [ … until a byte from @ to ~, which says what it is about: m for style.
void TerminalText::takeParameter(char byte)
{
    if (byte == EscapeByte) {
        m_escape = Escape::Begin;
    } else if (byte < '@' || byte > '~') {
        if (m_parameters.size() <= LongestParameters)
            m_parameters += byte;
    } else {
        m_escape = Escape::None;
        if (byte == 'm' && m_parameters.size() <= LongestParameters)
            applyGraphicRendition(m_style, m_parameters);
    }
}

void TerminalText::takeControl(char byte)
{
    switch (byte) {
    case EscapeByte:
        m_escape = Escape::Begin;
        m_escapeLength = 0;
        return;
    case '\r': m_isRedrawn = true; return;
    case '\b': eraseLast(); return;
    case '\t': append("\t"); return;
    }
}

void TerminalText::takeText(unsigned char byte)
{
    if (m_missing == 0) {
        startCharacter(byte);
        return;
    }
    if (m_character.size() == 1 &&
        !mayFollow(static_cast<unsigned char>(m_character.front()), byte)) {
        appendInvalid();
        startCharacter(byte);
        return;
    }
    m_character += static_cast<char>(byte);
    if (--m_missing > 0)
        return;
    if (!isC1Control(m_character))
        append(m_character);
    m_character.clear();
}

void TerminalText::startCharacter(unsigned char byte)
{
    const char character = static_cast<char>(byte);
    if (byte < 0x80) {
        append({&character, 1});
        return;
    }
    m_missing = followersOf(byte);
    if (m_missing == 0)
        append(Replacement);
    else
        m_character = character;
}

void TerminalText::append(std::string_view character)
{
    if (m_isRedrawn)
        clearText();
    m_isRedrawn = false;
    appendRun();
    m_text += character;
}

void TerminalText::appendRun()
{
    const TextStyle before = m_runs.empty() ? TextStyle{} : m_runs.back().style;
    if (m_style != before && m_runs.size() < MostRuns)
        m_runs.push_back({static_cast<std::uint32_t>(m_text.size()), m_style});
}

void TerminalText::clearText()
{
    m_text.clear();
    m_runs.clear();
}

/// One for the longest beginning of a character that there was, as browsers do.
void TerminalText::appendInvalid()
{
    m_missing = 0;
    m_character.clear();
    append(Replacement);
}

void TerminalText::eraseLast()
{
    while (!m_text.empty() && isContinuation(static_cast<unsigned char>(m_text.back())))
        m_text.pop_back();
    if (!m_text.empty())
        m_text.pop_back();
    while (!m_runs.empty() && m_runs.back().begin >= m_text.size())
        m_runs.pop_back();
}

} // namespace ringmaster
