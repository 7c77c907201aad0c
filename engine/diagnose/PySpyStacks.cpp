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

const Json* named(const Json& threads, std::string_view name)
{
    for (const Json& thread : threads) {
        if (!name.empty() && thread.is_object() && textAt(thread, "thread_name") == name)
            return &thread;
    }
    return nullptr;
}

const Json* mainOf(const Json& threads, int pid)
{
    const Json* main = nullptr;
    for (const Json& thread : threads) {
        if (!thread.is_object())
            continue;
        if (numberAt(thread, "os_thread_id") == pid)
            return &thread;
        if (textAt(thread, "thread_name") == "MainThread")
            main = &thread;
    }
    return main;
}

/// As `py-spy dump` writes it for people, who know that.
std::string textOf(const Json& threads)
{
    constexpr size_t LongestText = 64U << 10U;
    std::string text;
    for (const Json& thread : threads) {
        const auto frames = thread.is_object() ? thread.find("frames") : thread.end();
        if (!thread.is_object() || text.size() > LongestText)
            continue;
        text += (text.empty() ? "Thread " : "\nThread ") +
                std::to_string(numberAt(thread, "os_thread_id")) +
                (flagAt(thread, "active") ? " (active" : " (idle") +
                (flagAt(thread, "owns_gil") ? "+gil)" : ")");
        if (const std::string name = textAt(thread, "thread_name"); !name.empty())
            text += ": \"" + name + "\"";
        if (frames == thread.end() || !frames->is_array())
            continue;
        for (const Json& one : *frames) {
            if (!one.is_object() || text.size() > LongestText)
                continue;
            const StackFrame frame = frameOf(one);
            text += "\n    " + frame.function + " (" + frame.file + ":" +
                    std::to_string(frame.line) + ")";
        }
    }
    text.resize(std::min(text.size(), LongestText));
    return text;
}

} // namespace

std::optional<Stack> readPySpyStack(std::string_view text, int pid, std::string_view thread)
{
    const Json threads = parsed(text);
    if (!threads.is_array())
        return std::nullopt;
    const Json* shown = named(threads, thread);
    if (shown == nullptr)
        shown = mainOf(threads, pid);
    if (shown == nullptr)
        return std::nullopt;
    Stack stack{.source = "py-spy",
                .text = textOf(threads),
                .holdsGil = flagAt(*shown, "owns_gil"),
                .isActive = flagAt(*shown, "active")};
    const auto frames = shown->find("frames");
    if (frames == shown->end() || !frames->is_array())
        return stack;
    ThreadStack kept;
    addFrames(kept, *frames);
    for (StackFrame& frame : kept.frames)
        stack.frames.push_back({std::move(frame.function), std::move(frame.file), frame.line});
    return stack;
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
