#include "engine/worker/warm/WarmStart.h"

#include "engine/worker/Codes.h"
#include "engine/worker/warm/StarterProcess.h"

#include <cerrno>

#include <nlohmann/json.hpp>
#include <sys/socket.h>

namespace ringmaster {

using namespace std::chrono_literals;
using Json = nlohmann::json;

namespace {

/// torch on a cold network disk takes its time; it would for each worker, too.
constexpr std::chrono::seconds LongestWait = 120s;
constexpr int MostTries = 5;
/// A starter closes a connection that says nothing for so long (PATIENCE in its own source).
constexpr std::chrono::seconds StartersPatience = 1s;

std::string questionOf(const WarmRequest& request)
{
    Json programs = Json::array();
    for (const WarmProgram& program : request.programs)
        programs.push_back({{"kind", program.isModule ? "module" : "script"},
                            {"name", program.name},
                            {"folder", program.folder}});
    return Json{{"ask", "keep"},
                {"key", warmKey(request)},
                {"title", request.title},
                {"programs", programs}}
        .dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string textOf(const Json& answer, const char* name)
{
    const auto found = answer.find(name);
    if (found == answer.end() || found->is_structured() || found->is_null())
        return {};
    if (found->is_number_float()) {
        std::string text = std::to_string(found->get<double>());
        return text.substr(0, text.find('.') + 2);
    }
    return found->is_string() ? found->get<std::string>() : found->dump();
}

Parameters parametersOf(const Json& answer, const std::vector<const char*>& names)
{
    Parameters parameters;
    for (const char* name : names) {
        if (answer.contains(name))
            parameters[name] = textOf(answer, name);
    }
    return parameters;
}

Error refusalOf(const Json& answer)
{
    const Code code = codeFromName(textOf(answer, "reason")).value_or(code::ColdStarterGone);
    return {
        {code, parametersOf(answer, {"what", "path", "module", "limit"}), textOf(answer, "detail")},
        {}};
}

std::vector<Message> remarksOf(const Json& answer)
{
    std::string names;
    const auto found = answer.find("left_out");
    if (found == answer.end() || !found->is_array())
        return {};
    for (const Json& name : *found) {
        if (name.is_string())
            names += (names.empty() ? "" : ", ") + name.get<std::string>();
    }
    if (names.empty())
        return {};
    return {{code::WarmModulesLeftOut, {{"modules", names}}, {}}};
}

} // namespace

WarmStart::WarmStart(EventLoop& loop, WarmRequest request, Answered answered)
    : m_loop(loop), m_request(std::move(request)), m_answered(std::move(answered))
{
    m_timer = m_loop.callAfter(0s, [this] { ask(); });
}

WarmStart::~WarmStart() = default;

void WarmStart::ask()
{
    m_readable.cancel();
    const auto asked = tryToAsk();
    // One that ends just now is still there to connect to, and hears nothing any more.
    if (!asked && asked.error().code == code::ColdStarterGone && mayTryAgain())
        return ask();
    if (!asked)
        return answer(tl::unexpected(asked.error()));
    m_readable = m_loop.watchReadable(m_connection.get(), [this] { receive(); });
    m_timer = m_loop.callAfter(LongestWait, [this] {
        answer(fail(code::ColdStarterSlow, {{"seconds", std::to_string(LongestWait.count())}}));
    });
}

Result<void> WarmStart::tryToAsk()
{
    ++m_tries;
    m_isReplacing = false;
    m_isNew = false;
    m_wasSlow = false;
    m_name = RM_TRY(starterName(m_request.interpreter));
    auto [ours, theirs] = RM_TRY(makeSocketPair(SOCK_STREAM));
    m_socket = std::move(ours);
    // It reads files: once connected, there is little time.
    const std::string question = questionOf(m_request);
    const auto begun = std::chrono::steady_clock::now();
    m_connection = connectToStarter(m_name);
    if (!m_connection.isOpen()) {
        m_connection = RM_TRY(spawnStarter(m_name, m_request));
        m_hasStarted = m_isNew = true;
    }
    if (!m_connection.isOpen())
        return fail(code::ColdStarterGone);
    auto asked = askStarter(m_connection, question, theirs);
    m_wasSlow = std::chrono::steady_clock::now() - begun >= StartersPatience;
    return asked;
}

void WarmStart::receive()
{
    std::string text(LongestStarterAnswer, '\0');
    const ssize_t got = recv(m_connection.get(), text.data(), text.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0)
        return replace();
    text.resize(static_cast<std::size_t>(got));
    const Json said = Json::parse(text, nullptr, false);
    if (!said.is_object())
        return answer(fail(code::ColdStarterGone));
    if (textOf(said, "answer") == "kept")
        return answer(Answer{.socket = std::move(m_socket),
                             .how = {m_hasStarted ? code::WarmStartFirst : code::WarmStart,
                                     parametersOf(said, {"pid", "torch", "modules", "seconds"}),
                                     {}},
                             .remarks = remarksOf(said)});
    const std::string reason = textOf(said, "reason");
    if (reason != "key" && reason != "stale")
        return answer(tl::unexpected(refusalOf(said)));
    m_isReplacing = true; // Its name is free when it has ended: the connection's end says so.
}

bool WarmStart::mayTryAgain() const
{
    return (m_isReplacing || !m_isNew || m_wasSlow) && m_tries < MostTries;
}

/// The starter is gone: killed, or to make room for one that fits.
void WarmStart::replace()
{
    if (!mayTryAgain())
        return answer(fail(code::ColdStarterGone));
    ask();
}

void WarmStart::answer(Result<Answer> answer)
{
    m_readable.cancel();
    m_timer.cancel();
    m_connection.close();
    // The callback may destroy this.
    const Answered answered = std::move(m_answered);
    answered(std::move(answer));
}

} // namespace ringmaster
