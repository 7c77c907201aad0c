#include "engine/cli/Terminal.h"

#include "engine/base/FileDescriptor.h"

#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

namespace ringmaster {

namespace {

std::string_view codeOf(Terminal::Style style)
{
    switch (style) {
    case Terminal::Style::Bold: return "1";
    case Terminal::Style::Dim: return "2";
    case Terminal::Style::Red: return "31";
    case Terminal::Style::Green: return "32";
    case Terminal::Style::Yellow: return "33";
    case Terminal::Style::Blue: return "34";
    }
    return "0";
}

bool isSet(const char* variable)
{
    const char* value = std::getenv(variable); // NOLINT(concurrency-mt-unsafe): nothing sets it
    return value != nullptr && *value != '\0';
}

} // namespace

Terminal::Terminal(int fd, Console* console)
    : m_fd(fd)
    , m_console(console)
    , m_isTerminal(::isatty(fd) == 1)
    , m_hasColour(m_isTerminal && !isSet("NO_COLOR"))
{
}

int Terminal::columns() const
{
    winsize size{};
    if (m_isTerminal && ::ioctl(m_fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

std::string Terminal::styled(std::string_view text, Style style) const
{
    if (!m_hasColour)
        return std::string(text);
    return "\x1b[" + std::string(codeOf(style)) + "m" + std::string(text) + "\x1b[0m";
}

void Terminal::say(std::string_view text, Style style) const
{
    print(styled("ringmaster: " + std::string(text), style) + "\n");
}

void Terminal::print(std::string_view text) const
{
    if (m_console != nullptr)
        m_console->write(text);
    else
        (void)writeAll(m_fd, text); // nobody is left to be told
}

int complain(const std::string& message)
{
    const Terminal terminal(STDERR_FILENO);
    terminal.print(terminal.styled("ringmaster:", Terminal::Style::Red) + " " + message + "\n");
    return 2;
}

int complain(const Error& error)
{
    return complain(describe(error));
}

std::string harmless(std::string_view text)
{
    std::string safe;
    for (const char character : text) {
        const bool isBlank = character == '\n' || character == '\r' || character == '\t';
        if (isBlank && !safe.ends_with(' '))
            safe += ' ';
        else if (static_cast<unsigned char>(character) >= 0x20 && character != 0x7f)
            safe += character;
        else if (!isBlank)
            safe += '?';
    }
    return safe;
}

std::string harmlessLines(std::string_view text)
{
    std::string safe;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        safe += (safe.empty() ? "" : "\n  ") + harmless(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return safe;
}

} // namespace ringmaster
