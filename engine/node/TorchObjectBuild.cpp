#include "engine/node/TorchObjectBuild.h"

#include "engine/base/Environment.h"
#include "engine/node/Codes.h"
#include "engine/worker/hook/StartHook.h"

#include <nlohmann/json.hpp>

namespace ringmaster {

namespace {

using namespace std::chrono_literals;

/// Without what would make it one of the run's processes, or have it recorded.
std::vector<std::string> plainEnvironment()
{
    std::vector<std::string> variables;
    for (const auto& [name, value] : currentEnvironment()) {
        if (!name.starts_with("RINGMASTER_"))
            variables.push_back(name + "=" + value);
    }
    return variables;
}

/// What was said about the recorder; null: nothing.
nlohmann::json recorderIn(const std::string& output)
{
    for (size_t at = 0; at < output.size();) {
        const size_t end = std::min(output.find('\n', at), output.size());
        auto line = nlohmann::json::parse(output.begin() + static_cast<std::ptrdiff_t>(at),
                                          output.begin() + static_cast<std::ptrdiff_t>(end),
                                          nullptr, false);
        if (line.is_object() && line.value("kind", nlohmann::json()) == "recorder")
            return line;
        at = end + 1;
    }
    return {};
}

std::string textIn(const nlohmann::json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace

void TorchObjectBuild::needed(const std::string& python, const std::string& torch)
{
    if (std::exchange(m_isAsked, true))
        return;
    const auto start = hookStartFolder();
    const std::string builder =
        start ? (start->parent_path() / "parts/_ringmaster_objects.py").string() : std::string();
    auto child = ChildCommand::start(m_loop,
                                     {.arguments = {python, builder, "ensure"},
                                      .environment = plainEnvironment(),
                                      .patience = 10s},
                                     [this, torch](const ChildCommand::Outcome& outcome) {
                                         answered(torch, outcome);
                                         m_isSettled = true;
                                         if (m_settled)
                                             m_settled();
                                     });
    m_isSettled = !child;
    if (child)
        m_child = *std::move(child);
    else
        tell({code::LedgerSlowRecorder,
              {{"version", torch}, {"reason", describe(child.error())}},
              {}});
}

void TorchObjectBuild::whenSettled(std::function<void()> done)
{
    if (m_isSettled)
        return done();
    m_settled = std::move(done);
}

void TorchObjectBuild::answered(const std::string& torch, const ChildCommand::Outcome& outcome)
{
    const nlohmann::json recorder = recorderIn(outcome.output);
    const std::string state = recorder.is_object() ? textIn(recorder, "state") : "";
    if (state == "compiling")
        return tell({code::RecorderIsCompiled, {{"version", torch}}, {}});
    if (state == "cached") // just now, by another run
        return;
    const std::string reason =
        recorder.is_object() ? textIn(recorder, "text") : outcome.error.substr(0, 300);
    tell({code::LedgerSlowRecorder, {{"version", torch}, {"reason", reason}}, {}});
}

void TorchObjectBuild::tell(Message message) const
{
    m_tell(Notice{.severity = Notice::Severity::Info, .message = std::move(message)});
}

} // namespace ringmaster
