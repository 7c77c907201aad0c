#include "engine/worker/warm/StarterList.h"

#include "engine/base/Files.h"
#include "engine/base/ProcessInfo.h"
#include "engine/worker/warm/StarterProcess.h"
#include "engine/worker/warm/WarmRequest.h"

#include <algorithm>
#include <sstream>

#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>

namespace ringmaster {

using Json = nlohmann::json;

namespace {

/// Abstract sockets have no folder to look into.
Result<std::vector<std::string>> starterNames()
{
    const std::string wanted = "@" + RM_TRY(starterNamePrefix());
    std::istringstream sockets(RM_TRY(readFile("/proc/net/unix")));
    std::vector<std::string> names;
    for (std::string line; std::getline(sockets, line);) {
        const std::size_t at = line.find(wanted);
        const std::string name = at == std::string::npos ? "" : line.substr(at + 1);
        // Its connections bear the same name.
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    }
    return names;
}

Json ask(const std::string& name, const char* question, std::chrono::milliseconds patience)
{
    const FileDescriptor connection = connectToStarter(name);
    if (!connection.isOpen() || !askStarter(connection, Json{{"ask", question}}.dump()))
        return nullptr;
    pollfd answered{connection.get(), POLLIN, 0};
    if (poll(&answered, 1, static_cast<int>(patience.count())) <= 0)
        return Json::object(); // It is there, and imports.
    std::string text(LongestStarterAnswer, '\0');
    const ssize_t got = recv(connection.get(), text.data(), text.size(), MSG_DONTWAIT);
    if (got <= 0)
        return nullptr;
    text.resize(static_cast<std::size_t>(got));
    return Json::parse(text, nullptr, false);
}

std::vector<std::string> textsOf(const Json& json, const char* name)
{
    std::vector<std::string> texts;
    const auto found = json.find(name);
    if (found == json.end() || !found->is_array())
        return texts;
    for (const Json& text : *found) {
        if (text.is_string())
            texts.push_back(text.get<std::string>());
    }
    return texts;
}

double numberOf(const Json& json, const char* name)
{
    const auto found = json.find(name);
    return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

std::string stringOf(const Json& json, const char* name)
{
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::chrono::seconds secondsOf(const Json& json, const char* name)
{
    return std::chrono::seconds(static_cast<std::int64_t>(numberOf(json, name)));
}

StarterState stateOf(const Json& json)
{
    StarterState state{.pid = static_cast<pid_t>(numberOf(json, "pid")),
                       .interpreter = stringOf(json, "interpreter"),
                       .torch = stringOf(json, "torch"),
                       .modules = static_cast<int>(numberOf(json, "modules")),
                       .age = secondsOf(json, "age"),
                       .idle = secondsOf(json, "idle"),
                       .longestIdle = secondsOf(json, "limit"),
                       .runs = textsOf(json, "keepers"),
                       .leftOut = textsOf(json, "left_out")};
    if (state.pid > 0)
        state.memory = proportionalMemoryOf(state.pid).value_or(0);
    return state;
}

} // namespace

Result<std::vector<StarterState>> listStarters(std::chrono::milliseconds patience)
{
    std::vector<StarterState> states;
    for (const std::string& name : RM_TRY(starterNames())) {
        const Json answer = ask(name, "state", patience);
        if (answer.is_object())
            states.push_back(stateOf(answer));
    }
    return states;
}

Result<int> endStarters(std::chrono::milliseconds patience)
{
    int ended = 0;
    for (const std::string& name : RM_TRY(starterNames()))
        ended += ask(name, "end", patience).is_object() ? 1 : 0;
    return ended;
}

} // namespace ringmaster
