#pragma once

#include "engine/base/Result.h"
#include "engine/event/LessonEvents.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ringmaster::lesson {

/// A tracer says whose it is, with its first message.
struct TracerHello
{
    int pid = 0;
    int globalRank = -1;
    bool operator==(const TracerHello&) const = default;
};

/// The rank waits at the gate, before the line that it told last.
struct TracerHeld
{
    std::int64_t atNs = 0;
    bool operator==(const TracerHeld&) const = default;
};

/// The rank has made a group of the ring backend, in the order in which the backend counts them.
struct TracerGroup
{
    std::string name{};
    std::vector<int> members{}; ///< Global ranks.
    bool operator==(const TracerGroup&) const = default;
};

using TracerMessage = std::variant<TracerHello, TracerHeld, TracerGroup, LessonStep>;

/// Tracers live in the user's processes: nothing that they say is believed to be well-formed, and
/// everything is bounded. Rank and attempt of a step aren't theirs to say.
Result<TracerMessage> parseTracerMessage(std::string_view json);

/// One line of a ring's step file (collective/ring/StepFile.h).
struct RingLine
{
    std::int64_t atNs = 0;
    std::uint64_t group = 0; ///< From 1.
    bool isCorrupted = false;
    LessonChunk chunk{}; ///< Its ranks are the group's.
};
std::optional<RingLine> parseRingLine(std::string_view json);

/// Takes whole messages, four bytes of length and JSON, out of what arrives.
class TracerFrames
{
public:
    static constexpr size_t LongestMessage = 1U << 20U;

    void append(std::string_view bytes) { m_bytes += bytes; }
    /// The next whole message, after hasNext(). An error: the peer talks nonsense.
    Result<std::string> next();
    bool hasNext() const;

private:
    std::string m_bytes;
};

/// What the gate tells a tracer, framed.
std::string goFrame(int lines);
std::string freeFrame(bool isFree);
std::string faultFrame(std::string_view fault, std::int64_t milliseconds);

} // namespace ringmaster::lesson
