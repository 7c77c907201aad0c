#include "engine/lesson/TracerMessage.h"

#include "engine/lesson/Codes.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <nlohmann/json.hpp>

namespace ringmaster::lesson {

namespace {

using Json = nlohmann::json;

constexpr size_t LongestText = 4096;
constexpr size_t MostValues = 256;
constexpr size_t MostElements = 64;
constexpr size_t MostMembers = 1024;
constexpr size_t HeadSize = 4;

std::string textIn(const Json& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_string())
        return {};
    return found->get_ref<const std::string&>().substr(0, LongestText);
}

template <class Number = int>
Number numberIn(const Json& json, const char* key, Number otherwise = 0)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? found->get<Number>() : otherwise;
}

bool flagIn(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_boolean() && found->get<bool>();
}

/// The items of a list, at most `most`; none where there is no list.
template <class Take>
void eachIn(const Json& json, const char* key, size_t most, const Take& take)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array())
        return;
    for (size_t index = 0; index < std::min(found->size(), most); ++index)
        take((*found)[index]);
}

std::vector<std::string> textsIn(const Json& json, const char* key)
{
    std::vector<std::string> texts;
    eachIn(json, key, MostElements, [&](const Json& item) {
        texts.push_back(item.is_string() ? item.get<std::string>().substr(0, LongestText) : "");
    });
    return texts;
}

LessonValue valueOf(const Json& json)
{
    LessonValue value;
    if (!json.is_object())
        return value;
    const std::string kind = textIn(json, "kind");
    value.name = textIn(json, "name");
    value.kind = kind == "tensor" ? LessonValue::Kind::Tensor
                 : kind == "gone" ? LessonValue::Kind::Gone
                                  : LessonValue::Kind::Scalar;
    value.type = textIn(json, "type");
    eachIn(json, "shape", MostElements, [&](const Json& size) {
        value.shape.push_back(size.is_number_integer() ? size.get<std::int64_t>() : 0);
    });
    value.bytes = numberIn<std::uint64_t>(json, "bytes");
    value.elements = textsIn(json, "elements");
    value.isPart = !flagIn(json, "whole");
    return value;
}

std::vector<LessonValue> valuesIn(const Json& json, const char* key)
{
    std::vector<LessonValue> values;
    eachIn(json, key, MostValues, [&](const Json& item) { values.push_back(valueOf(item)); });
    return values;
}

std::vector<int> membersIn(const Json& json)
{
    std::vector<int> members;
    eachIn(json, "members", MostMembers, [&](const Json& rank) {
        members.push_back(rank.is_number_integer() ? rank.get<int>() : -1);
    });
    return members;
}

LessonCall callOf(const Json& json)
{
    LessonCall call;
    call.id = numberIn<std::uint64_t>(json, "id");
    call.operation = textIn(json, "operation");
    call.waitsFor = numberIn<std::uint64_t>(json, "waitsFor");
    call.group = textIn(json, "group");
    call.members = membersIn(json);
    call.peer = numberIn(json, "peer", -1);
    call.tag = numberIn(json, "tag");
    call.reduction = textIn(json, "reduction");
    call.isAsync = flagIn(json, "async");
    call.inputs = valuesIn(json, "inputs");
    call.outputs = valuesIn(json, "outputs");
    call.durationNs = numberIn<std::int64_t>(json, "duration");
    return call;
}

LessonChunk chunkOf(const Json& json)
{
    return {.operation = textIn(json, "operation"),
            .algorithm = textIn(json, "algorithm"),
            .sequence = numberIn<std::uint64_t>(json, "sequence"),
            .step = numberIn(json, "step"),
            .chunk = numberIn<std::uint64_t>(json, "chunk"),
            .from = numberIn(json, "from", -1),
            .to = numberIn(json, "to", -1),
            .bytes = numberIn<std::uint64_t>(json, "bytes"),
            .before = textsIn(json, "before"),
            .after = textsIn(json, "after"),
            .arrived = textsIn(json, "arrived")};
}

struct NamedKind
{
    std::string_view name;
    LessonStep::Kind kind;
};

constexpr auto Kinds = std::to_array<NamedKind>({
    {"line", LessonStep::Kind::Line},
    {"call", LessonStep::Kind::Call},
    {"return", LessonStep::Kind::Return},
    {"hazard", LessonStep::Kind::Hazard},
    {"error", LessonStep::Kind::Error},
    {"fault", LessonStep::Kind::Fault},
    {"finish", LessonStep::Kind::Finish},
});

LessonStep stepOf(const Json& json, LessonStep::Kind kind)
{
    LessonStep step{.kind = kind,
                    .atNs = numberIn<std::int64_t>(json, "at"),
                    .file = textIn(json, "file"),
                    .line = numberIn(json, "line"),
                    .function = textIn(json, "function"),
                    .depth = numberIn(json, "depth"),
                    .values = valuesIn(json, "values"),
                    .text = textIn(json, "text")};
    if (json.contains("held"))
        step.isHeld = flagIn(json, "held");
    if (const auto call = json.find("call"); call != json.end() && call->is_object())
        step.call = callOf(*call);
    return step;
}

bool isNested(std::string_view text, int levels)
{
    int depth = 0;
    bool isQuoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char character = text[i];
        if (isQuoted && character == '\\')
            ++i;
        else if (character == '"')
            isQuoted = !isQuoted;
        else if (isQuoted)
            continue;
        else if (character == '[' || character == '{')
            ++depth;
        else if (character == ']' || character == '}')
            --depth;
        if (depth >= levels)
            return true;
    }
    return false;
}

/// Deep nesting would recurse; a tracer's message has four levels. Leaving out what is deeper takes
/// much longer, for each of them.
Json parsed(std::string_view text)
{
    constexpr int Deepest = 8;
    if (!isNested(text, Deepest))
        return Json::parse(text, nullptr, false);
    const auto isShallow = [](int depth, Json::parse_event_t, Json&) { return depth < Deepest; };
    return Json::parse(text, isShallow, false);
}

std::string framed(const Json& json)
{
    const std::string text = json.dump();
    const auto length = static_cast<std::uint32_t>(text.size());
    std::string frame(HeadSize, '\0');
    std::memcpy(frame.data(), &length, HeadSize);
    return frame + text;
}

} // namespace

Result<TracerMessage> parseTracerMessage(std::string_view text)
{
    const Json json = parsed(text);
    if (!json.is_object())
        return fail(code::TracerMalformed);
    const std::string kind = textIn(json, "kind");
    if (kind == "hello")
        return TracerHello{numberIn(json, "pid"), numberIn(json, "rank", -1)};
    if (kind == "held")
        return TracerHeld{numberIn<std::int64_t>(json, "at")};
    if (kind == "ring")
        return TracerGroup{textIn(json, "group"), membersIn(json)};
    const auto named = std::ranges::find(Kinds, kind, &NamedKind::name);
    if (named == Kinds.end())
        return fail(code::TracerMalformed);
    return stepOf(json, named->kind);
}

std::optional<RingLine> parseRingLine(std::string_view text)
{
    const Json json = parsed(text);
    if (!json.is_object())
        return std::nullopt;
    return RingLine{numberIn<std::int64_t>(json, "at"), numberIn<std::uint64_t>(json, "group"),
                    flagIn(json, "corrupted"), chunkOf(json)};
}

bool TracerFrames::hasNext() const
{
    std::uint32_t length = 0;
    if (m_bytes.size() < HeadSize)
        return false;
    std::memcpy(&length, m_bytes.data(), HeadSize);
    return length > LongestMessage || m_bytes.size() >= HeadSize + length;
}

Result<std::string> TracerFrames::next()
{
    std::uint32_t length = 0;
    std::memcpy(&length, m_bytes.data(), HeadSize);
    if (length > LongestMessage)
        return fail(code::TracerMalformed);
    std::string message = m_bytes.substr(HeadSize, length);
    m_bytes.erase(0, HeadSize + length);
    return message;
}

std::string goFrame(int lines)
{
    return framed({{"go", lines}});
}

std::string freeFrame(bool isFree)
{
    return framed({{"free", isFree}});
}

std::string faultFrame(std::string_view fault, std::int64_t milliseconds)
{
    return framed({{"fault", fault}, {"milliseconds", milliseconds}});
}

} // namespace ringmaster::lesson
