#pragma once

#include "engine/record/TextStyle.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// One line of what a program wrote to a terminal, as it would look: a carriage return redraws, a
/// backspace deletes, what isn't UTF-8 is U+FFFD; of the escape sequences only colours and weights
/// are kept, as runs beside the text. Keeps its state between calls, so that a character or a
/// sequence may be cut anywhere. Each line begins unstyled: pages of a log begin anywhere.
class TerminalText
{
public:
    enum class Stop { InputEnd, Newline, Full };

    enum class Newlines { End, Plain };

    /// How many bytes at the beginning are shown as they are: ASCII that prints, tabs and whole
    /// characters, and newlines where they count as plain.
    static size_t plainLength(std::string_view input, Newlines newlines = Newlines::End);

    /// Reads until a newline (taken, not kept) or until the line has `limit` bytes; removes what it
    /// read from `input`.
    Stop read(std::string_view& input, size_t limit);

    /// What has more runs than this stays in the style of the last.
    static constexpr size_t MostRuns = 256;

    const std::string& text() const { return m_text; }
    /// Ascending; empty where all of the line is plain.
    const std::vector<StyledRun>& runs() const { return m_runs; }

    /// The line is over; a sequence that was cut goes with it.
    void clear();
    /// The line was too long: what follows belongs to the same line of the program.
    void breakHere() { clearText(); }
    /// The input ends within a character.
    void endOfInput();

private:
    enum class Escape { None, Begin, Intermediate, Control, String, StringEnd };

    void takePlain(std::string_view& input, size_t limit);
    void take(char byte);
    void takeEscape(char byte);
    void takeParameter(char byte);
    void takeText(unsigned char byte);
    void takeControl(char byte);
    void startCharacter(unsigned char byte);
    void clearText();
    void append(std::string_view character);
    void appendRun();
    void appendInvalid();
    void eraseLast();

    std::string m_text;
    std::vector<StyledRun> m_runs;
    TextStyle m_style;        ///< Of what comes next.
    std::string m_parameters; ///< Of the control sequence that is being read.
    std::string m_character;  ///< Bytes of a character that isn't complete.
    size_t m_missing = 0;
    Escape m_escape = Escape::None;
    size_t m_escapeLength = 0;
    bool m_isRedrawn = false; ///< A carriage return came: the next character begins anew.
};

} // namespace ringmaster
