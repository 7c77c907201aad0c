#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ringmaster {

/// One line of what a program wrote to a terminal, as it would look: escape sequences are left out,
/// a carriage return redraws, a backspace deletes, what isn't UTF-8 is U+FFFD. Keeps its state
/// between calls, so that a character or a sequence may be cut anywhere.
class TerminalText
{
public:
    enum class Stop { InputEnd, Newline, Full };

    /// Reads until a newline (taken, not kept) or until the line has `limit` bytes; removes what it
    /// read from `input`.
    Stop read(std::string_view& input, size_t limit);

    const std::string& text() const { return m_text; }

    /// The line is over; a sequence that was cut goes with it.
    void clear();
    /// The line was too long: what follows belongs to the same line of the program.
    void breakHere() { m_text.clear(); }
    /// The input ends within a character.
    void endOfInput();

private:
    enum class Escape { None, Begin, Intermediate, Control, String, StringEnd };

    void take(char byte);
    void takeEscape(char byte);
    void takeText(unsigned char byte);
    void takeControl(char byte);
    void startCharacter(unsigned char byte);
    void append(std::string_view character);
    void appendInvalid();
    void eraseLast();

    std::string m_text;
    std::string m_character; ///< Bytes of a character that isn't complete.
    size_t m_missing = 0;
    Escape m_escape = Escape::None;
    size_t m_escapeLength = 0;
    bool m_isRedrawn = false; ///< A carriage return came: the next character begins anew.
};

} // namespace ringmaster
