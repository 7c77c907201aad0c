#pragma once

#include "engine/base/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// What the far end of a command says first. A change of the frames changes the number.
constexpr std::string_view CommandSentinel = "RINGMASTER-COMMAND/1\n";

/// One piece of what the two ends of a command say to each other: a kind, four bytes of length (the
/// highest first), so many bytes.
struct CommandFrame
{
    enum class Kind : std::uint8_t {
        Word = 1,     ///< From who asks: a word of the command …
        Folder = 2,   ///< … where it is carried out; without it, in the user's home …
        Input = 3,    ///< … more of its standard input …
        Terminal = 4, ///< … which of its streams end in a terminal, and what that is like …
        Start = 5,    ///< … and that was all.
        Alive = 6,    ///< Again and again from then on.
        Output = 32,  ///< From who carries it out.
        Error = 33,
        Exit = 34, ///< Its exit code, or minus the signal that ended it.
    };
    static constexpr std::size_t LargestBody = 64U << 10U;

    Kind kind = Kind::Alive;
    std::string body{};
};

/// `body` may be no longer than LargestBody.
std::string encoded(CommandFrame::Kind kind, std::string_view body = {});

/// Takes bytes as they come, and gives frames. Pure.
class CommandFrameReader
{
public:
    void add(std::string_view bytes);
    /// Nothing: more bytes are needed. An error stays.
    Result<std::optional<CommandFrame>> next();

private:
    std::string m_bytes;
    std::size_t m_at = 0; ///< Of the next frame.
};

/// A command that is to be carried out on another machine.
struct CommandRequest
{
    /// What the terminal is like that shows its output.
    struct Terminal
    {
        bool hasOutput = false; ///< Standard output ends there …
        bool hasError = false;  ///< … and standard error.
        bool hasColour = false;
        int columns = 80;
        int rows = 24;
        bool operator==(const Terminal&) const = default;
    };
    static constexpr std::size_t MostWords = 4096;
    static constexpr std::size_t MostBytes = 17U << 20U; ///< Of words and input; a job fits.

    std::vector<std::string> words{};
    std::string folder{};
    std::string input{};
    Terminal terminal{};
    bool operator==(const CommandRequest&) const = default;
};

/// The frames of a request. An error where it is too large.
Result<std::string> encoded(const CommandRequest& request);

/// Puts a request together again. Pure.
class CommandRequestReader
{
public:
    /// True: that was all.
    Result<bool> take(CommandFrame frame);
    const CommandRequest& request() const { return m_request; }

private:
    CommandRequest m_request;
    std::size_t m_size = 0;
};

/// Of an Exit frame.
std::optional<int> exitCodeIn(std::string_view body);

} // namespace ringmaster
