#pragma once

#include "engine/base/Console.h"
#include "engine/base/Result.h"

#include <string>
#include <string_view>

namespace ringmaster {

/// What a person sees of the command: colour and width only where a terminal is, and colour not
/// with NO_COLOR.
class Terminal
{
public:
    enum class Style { Bold, Dim, Red, Green, Yellow, Blue };

    /// With a console, print() doesn't wait for whoever reads.
    explicit Terminal(int fd, Console* console = nullptr);

    bool isTerminal() const { return m_isTerminal; }
    bool hasColour() const { return m_hasColour; }
    int columns() const; ///< As it is now; 80 where nobody knows.

    std::string styled(std::string_view text, Style style) const;

    /// "ringmaster: TEXT", as a line.
    void say(std::string_view text, Style style) const;

    /// All of it; what a closed pipe or full disk refuses is dropped.
    void print(std::string_view text) const;

private:
    int m_fd;
    Console* m_console;
    bool m_isTerminal;
    bool m_hasColour;
};

/// `ringmaster: message` on standard error; the exit code of what can't be done: 2.
int complain(const Error& error);
int complain(const std::string& message);

/// Without what could drive the terminal: control characters become visible.
std::string harmless(std::string_view text);

/// The same of a text of several lines, which stay so; those after the first are set in.
std::string harmlessLines(std::string_view text);

} // namespace ringmaster
