#include "engine/control/LocalHostRegistry.h"

#include "engine/control/Codes.h"
#include "engine/control/HostAnswers.h"
#include "engine/control/LocalCluster.h"

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr size_t MostAnswer = 64U << 20U; ///< Of a preflight of a hundred hosts, pair by pair.
/// Longer than the command itself waits for a host, the copying of the agent included.
constexpr auto HostPatience = 15min;

std::vector<std::string> wordsFor(const Host& host)
{
    std::vector<std::string> words{"host", "add", "--json"};
    const auto option = [&words](const char* name, const std::string& value) {
        if (!value.empty())
            words.push_back(std::string(name) + "=" + value);
    };
    option("--ssh", host.destination);
    if (host.slots > 0)
        option("--slots", std::to_string(host.slots));
    for (const std::string& group : host.groups)
        option("--group", group);
    option("--python", host.interpreter);
    option("--code", host.code);
    option("--sync", host.sync == CodeSync::Shared ? "" : std::string(textOf(host.sync)));
    for (const std::string& pattern : host.exclude)
        option("--exclude", pattern);
    option("--interface", host.interface);
    option("--address", host.address);
    for (const auto& [name, value] : host.environment)
        words.push_back("--env=" + name + "=" + value);
    words.insert(words.end(), {"--", host.name});
    return words;
}

} // namespace

LocalHostRegistry::LocalHostRegistry(LoopThread& thread, PendingCommands& commands,
                                     std::filesystem::path command)
    : m_thread(thread)
    , m_commands(commands)
    , m_command(std::move(command))
    , m_children(thread.loop())
{
}

template <class T>
void LocalHostRegistry::ask(Call call, Once<T> answer, Result<T> (*read)(std::string_view))
{
    m_thread.post([this, call = std::move(call), answer, read] {
        if (!call.isOfBook)
            return start(call, answer, read);
        m_ofBook.emplace_back([this, call, answer, read] { start(call, answer, read); });
        if (m_ofBook.size() == 1)
            m_ofBook.front()();
    });
}

template <class T>
void LocalHostRegistry::start(const Call& call, Once<T> answer, Result<T> (*read)(std::string_view))
{
    const auto command = m_command.empty() ? commandExecutable() : m_command;
    const auto finish = [this, isOfBook = call.isOfBook, answer](Result<T> result) {
        answer(std::move(result));
        if (isOfBook)
            nextOfBook();
    };
    if (!command)
        return finish(tl::unexpected(command.error()));
    ChildCommand::Options options{.arguments = {command->string()},
                                  .workingFolder = call.folder,
                                  .patience = call.patience,
                                  .mostOutput = MostAnswer};
    options.arguments.insert(options.arguments.end(), call.words.begin(), call.words.end());
    m_children.start(std::move(options), [finish, read](Result<ChildCommand::Outcome> outcome) {
        if (!outcome)
            return finish(tl::unexpected(outcome.error()));
        // Where something is wrong with a host, the exit code is 1 and all is said.
        if (outcome->output.empty() && outcome->exitCode != 0)
            return finish(fail(code::HostCommandFailed, {}, outcome->error));
        finish(read(outcome->output));
    });
}

void LocalHostRegistry::nextOfBook()
{
    m_thread.post([this] {
        m_ofBook.pop_front();
        if (!m_ofBook.empty())
            m_ofBook.front()();
    });
}

void LocalHostRegistry::list(Answer<std::vector<Host>> answer)
{
    ask<std::vector<Host>>({{"host", "ls", "--json"}, true},
                           {std::move(answer), "reading the host book"}, hostsFromJson);
}

void LocalHostRegistry::listNames(Answer<std::vector<std::string>> answer)
{
    ask<std::vector<std::string>>({{"host", "names", "--json"}, true},
                                  {std::move(answer), "reading ssh's settings"}, namesFromJson);
}

void LocalHostRegistry::put(const Host& host, Answer<void> answer)
{
    ask<void>({wordsFor(host), true}, {m_commands.add(std::move(answer)), "writing the host book"},
              doneFromJson);
}

void LocalHostRegistry::remove(const std::string& name, Answer<void> answer)
{
    ask<void>({{"host", "rm", "--json", "--", name}, true},
              {m_commands.add(std::move(answer)), "writing the host book"}, doneFromJson);
}

void LocalHostRegistry::check(const std::vector<std::string>& hosts,
                              Answer<std::vector<HostReport>> answer)
{
    std::vector<std::string> words{"host", "check", "--json", "--"};
    words.insert(words.end(), hosts.begin(), hosts.end());
    ask<std::vector<HostReport>>({.words = std::move(words), .patience = HostPatience},
                                 {std::move(answer), "asking the hosts"}, reportsFromJson);
}

void LocalHostRegistry::preflight(const PreflightRequest& request,
                                  Answer<std::vector<PreflightFinding>> answer)
{
    std::vector<std::string> words{"check", "--json"};
    if (!request.program.empty())
        words.push_back("--program=" + request.program);
    words.emplace_back("--");
    words.insert(words.end(), request.hosts.begin(), request.hosts.end());
    ask<std::vector<PreflightFinding>>(
        {.words = std::move(words), .folder = request.folder, .patience = HostPatience},
        {std::move(answer), "the preflight"}, findingsFromJson);
}

} // namespace ringmaster
