#include "engine/diagnose/PySpyStacks.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace ringmaster::diagnose {

namespace {

using Json = nlohmann::json;

constexpr size_t LargestJson = 4U << 20U;
constexpr int DeepestJson = 8;
constexpr size_t MostThreads = 32;
constexpr size_t MostKeptFrames = 64; ///< Of a thread: the inner ones, and where it began.
constexpr size_t MostOuterFrames = 24;
constexpr size_t LongestKeptName = 256;

std::string textAt(const Json& object, const char* name)
{
    const auto found = object.find(name);
    if (found == object.end() || !found->is_string())
        return {};
    return found->get_ref<const std::string&>().substr(0, LongestKeptName);
}

bool flagAt(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

std::int64_t numberAt(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

StackFrame frameOf(const Json& object)
{
    constexpr std::int64_t LastLine = 100'000'000;
    StackFrame frame{
        textAt(object, "name"), textAt(object, "filename"),
        static_cast<int>(std::clamp<std::int64_t>(numberAt(object, "line"), 0, LastLine))};
    if (frame.file.empty())
        frame.file = textAt(object, "module");
    return frame;
}

void addFrames(ThreadStack& thread, const Json& frames)
{
    const size_t count = frames.size();
    const size_t left = count > MostKeptFrames ? count - MostKeptFrames : 0;
    for (size_t i = 0; i < count; ++i) {
        const bool isLeftOut = i >= MostKeptFrames - MostOuterFrames && i < count - MostOuterFrames;
        if (frames[i].is_object() && (left == 0 || !isLeftOut))
            thread.frames.push_back(frameOf(frames[i]));
    }
    thread.leftOut = static_cast<int>(left);
}

std::optional<ThreadStack> threadOf(const Json& object)
{
    if (!object.is_object())
        return std::nullopt;
    const auto frames = object.find("frames");
    if (frames == object.end() || !frames->is_array() || frames->empty())
        return std::nullopt; // as of a process that is just ending
    const std::int64_t pid = numberAt(object, "pid");
    ThreadStack thread{.name = textAt(object, "thread_name"),
                       .isMain = pid != 0 && numberAt(object, "os_thread_id") == pid,
                       .holdsGil = flagAt(object, "owns_gil")};
    if (thread.isMain && thread.name.empty())
        thread.name = "MainThread";
    addFrames(thread, *frames);
    return thread.frames.empty() ? std::nullopt : std::optional(std::move(thread));
}

/// A list of threads; else it isn't one of py-spy's.
Json parsed(std::string_view text)
{
    if (text.size() > LargestJson)
        return {};
    const auto isShallow = [](int depth, Json::parse_event_t /*event*/, Json& /*parsed*/) {
        return depth < DeepestJson;
    };
    return Json::parse(text, isShallow, false);
}

} // namespace

std::optional<LockStanding> readPySpyLock(std::string_view text, int thread)
{
    const Json json = parsed(text);
    if (!json.is_array())
        return std::nullopt;
    for (const Json& object : json) {
        if (object.is_object() && numberAt(object, "os_thread_id") == thread)
            return LockStanding{flagAt(object, "owns_gil"), flagAt(object, "active")};
    }
    return std::nullopt;
}

std::optional<std::vector<ThreadStack>> readPySpyJson(std::string_view text)
{
    const Json json = parsed(text);
    if (!json.is_array())
        return std::nullopt;
    std::vector<ThreadStack> threads;
    for (const Json& object : json) {
        auto thread = threadOf(object);
        if (thread && threads.size() < MostThreads)
            threads.push_back(*std::move(thread));
    }
    // Threads in the same places are the same, in whatever order they were started.
    std::ranges::stable_sort(threads, [](const ThreadStack& one, const ThreadStack& other) {
        return std::pair(!one.isMain, one.name) < std::pair(!other.isMain, other.name);
    });
    return threads.empty() ? std::nullopt : std::optional(std::move(threads));
}

} // namespace ringmaster::diagnose
