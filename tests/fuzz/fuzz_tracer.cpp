// A lesson's worker says whatever the fuzzer thinks of to the gate. Cut anywhere it is the same
// messages; each step is kept in the run file as it was taken, and the recording that is drawn from
// them can be read from either end. The input is a line of [rank][length, 2 bytes][that many
// bytes], or, where it doesn't begin so, one message.

#include "Fuzz.h"
#include "engine/event/Proto.h"
#include "engine/lesson/Recording.h"
#include "engine/lesson/TracerMessage.h"

using namespace ringmaster;

namespace {

constexpr int Ranks = 3;

std::vector<std::string> messagesIn(std::string_view bytes, std::size_t step)
{
    lesson::TracerFrames frames;
    std::vector<std::string> messages;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        frames.append(bytes.substr(at, step));
        while (frames.hasNext()) {
            Result<std::string> message = frames.next();
            if (!message)
                return messages;
            messages.push_back(*std::move(message));
        }
    }
    return messages;
}

std::string framed(std::string_view message)
{
    const auto length = static_cast<std::uint32_t>(message.size());
    std::string frame(sizeof length, '\0');
    std::memcpy(frame.data(), &length, sizeof length);
    return frame.append(message);
}

void take(std::string_view message, int rank, std::vector<Event>& events)
{
    const auto said = lesson::parseTracerMessage(message);
    const auto* step = said ? std::get_if<LessonStep>(&*said) : nullptr;
    LessonStep of;
    if (step != nullptr) {
        of = *step;
    } else {
        // As its ring writes it.
        const auto line = lesson::parseRingLine(message);
        if (!line)
            return;
        of = {.kind = LessonStep::Kind::Chunk, .atNs = line->atNs, .chunk = line->chunk};
    }
    of.globalRank = rank;
    const Result<EventBody> kept = parseEventBody(serialize(EventBody(of)));
    fuzz::require(kept && *kept == EventBody(of));
    events.push_back({.id = {"run", "agent", events.size() + 1}, .body = *kept});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes = fuzz::textOf(data, size);
    const std::vector<std::string> whole = messagesIn(bytes, size);
    fuzz::require(messagesIn(bytes, 1) == whole);

    std::vector<Event> events{
        {.id = {"run", "agent", 1}, .body = LessonStarted{.backend = "gloo", .ranks = Ranks}},
        {.id = {"run", "agent", 2}, .body = AttemptStarted{.worldSize = Ranks}}};
    if (whole.empty()) {
        // One message a line, each from the next rank.
        int rank = 0;
        for (std::size_t at = 0; at < bytes.size(); ++rank) {
            const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
            const std::string_view line = bytes.substr(at, end - at);
            fuzz::require(messagesIn(framed(line), 7) ==
                          std::vector<std::string>{std::string(line)});
            take(line, rank % Ranks, events);
            at = end + 1;
        }
    }
    for (const std::string& message : whole)
        take(message, 0, events);

    lesson::Recording recording;
    for (const Event& event : events)
        recording.add(event);
    for (std::size_t index = recording.size(); index > 0; --index)
        (void)recording.stateAt(index - 1);
    (void)recording.order();
    return 0;
}
