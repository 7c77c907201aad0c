#include "engine/diagnose/Stack.h"

#include "engine/ledger/UserCode.h"

#include <algorithm>
#include <charconv>

namespace ringmaster::diagnose {

namespace {

constexpr size_t LongestText = 64U << 10U;
constexpr size_t MostFrames = 256;
constexpr size_t LongestName = 512;

using Lines = std::vector<std::string_view>;

Lines linesOf(std::string_view text)
{
    Lines lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string nameOf(std::string_view text)
{
    return std::string(text.substr(0, LongestName));
}

int numberOf(std::string_view text)
{
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// `  File "train.py", line 88 in step`
std::optional<Stack::Frame> pythonFrame(std::string_view line)
{
    constexpr std::string_view Begin = "  File \"";
    constexpr std::string_view Line = "\", line ";
    constexpr std::string_view In = " in ";
    const size_t place = line.rfind(Line);
    if (!line.starts_with(Begin) || place == std::string_view::npos || place < Begin.size())
        return std::nullopt;
    const std::string_view rest = line.substr(place + Line.size());
    const size_t in = rest.find(In);
    if (in == std::string_view::npos)
        return std::nullopt;
    return Stack::Frame{nameOf(rest.substr(in + In.size())),
                        nameOf(line.substr(Begin.size(), place - Begin.size())),
                        numberOf(rest.substr(0, in))};
}

std::string bounded(std::string_view text)
{
    std::string kept(text.substr(0, LongestText));
    while (kept.ends_with('\n'))
        kept.pop_back();
    return kept;
}

} // namespace

const Stack::Frame* userFrame(const Stack& stack)
{
    const auto own = std::ranges::find_if_not(stack.frames, isForeignFile, &Stack::Frame::file);
    if (own != stack.frames.end())
        return &*own;
    return stack.frames.empty() ? nullptr : &stack.frames.front();
}

bool isInCall(const Stack& stack)
{
    if (stack.frames.empty())
        return false;
    const Stack::Frame& inner = stack.frames.front();
    return inner.file.find("torch/distributed/") != std::string::npos ||
           (&inner == userFrame(stack) && stack.code.find(".wait(") != std::string::npos);
}

bool mayBeInCall(const Stack& stack)
{
    return isInCall(stack) || std::ranges::any_of(stack.frames, [](const Stack::Frame& frame) {
               return frame.file.find("torch/distributed/") != std::string::npos ||
                      frame.file.ends_with("torch/_ops.py");
           });
}

bool isAtExit(const Stack& stack)
{
    if (stack.frames.empty())
        return false;
    const Stack::Frame& outer = stack.frames.back();
    return outer.function == "_shutdown" && outer.file.ends_with("/threading.py");
}

std::optional<Stack> readPythonStack(std::string_view text)
{
    text = text.substr(0, LongestText);
    Stack stack{.source = "torch", .text = bounded(text)};
    bool isStack = false;
    // The main thread is the oldest, and so the last.
    for (const std::string_view line : linesOf(text)) {
        if (line.ends_with("(most recent call first):")) {
            isStack = true;
            stack.frames.clear();
        } else if (auto frame = pythonFrame(line); frame && stack.frames.size() < MostFrames) {
            stack.frames.push_back(*std::move(frame));
        }
    }
    return isStack ? std::optional(std::move(stack)) : std::nullopt;
}

} // namespace ringmaster::diagnose
