#include "engine/cli/Commands.h"
#include "engine/cli/HostTable.h"
#include "engine/cli/Json.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/control/ByteChannel.h"
#include "engine/hosts/HostBook.h"
#include "engine/hosts/HostProbe.h"
#include "engine/text/Codes.h"
#include "engine/text/ShellWords.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class HostCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"host", "Keep and check the hosts that jobs can run on",
                "add: puts hosts into the host book, by the names that ssh knows; --import those "
                "of ~/.ssh/config. edit: changes what is named, or adds it; lists are "
                "replaced, and an empty value is the usual one again. rm: takes them out. ls: "
                "lists them. names: those of "
                "~/.ssh/config that "
                "aren't in the book. check: asks each, or those "
                "that are named, what it has; the first time, the agent is copied there. The exit "
                "code of check is 1 if a host can't be used.",
                "  ringmaster host add gpu1 gpu2 --slots 8 --group lab\n"
                "  ringmaster host edit gpu1 --code ~/project --sync rsync\n"
                "  ringmaster host check @lab\n"
                "  ringmaster run --hosts @lab train.py"};
    }

    void define(CLI::App& app) override
    {
        m_app = &app;
        app.add_option("ACTION", m_action, "add, edit, rm, ls, names or check")
            ->required()
            ->check(CLI::IsMember({"add", "edit", "rm", "ls", "names", "check"}));
        app.add_option("HOST", m_names, "Names of hosts; for check also @GROUP");
        app.add_option("--ssh", m_host.destination, "What ssh is given, where it isn't the name");
        app.add_option("--slots", m_host.slots, "Workers that it takes; 0: as many as the job says")
            ->check(CLI::NonNegativeNumber);
        app.add_option("--group", m_host.groups, "A group that it belongs to; several times");
        app.add_option("--python", m_host.interpreter, "The interpreter there");
        app.add_option("--code", m_host.code, "The folder there that has the program");
        app.add_option("--sync", m_sync,
                       "How it gets there: shared (it is there), or rsync before each launch")
            ->check(CLI::IsMember({"shared", "rsync"}));
        app.add_option("--exclude", m_host.exclude,
                       "What rsync leaves out, as it takes patterns; several times");
        app.add_option("--interface", m_host.interface, "The network interface for jobs");
        app.add_option("--address", m_host.address, "At which the other hosts reach it");
        app.add_option("--env", m_environment, "NAME=VALUE for the workers there; several times");
        app.add_option("--login-timeout", m_loginTimeout,
                       "For check: seconds that a login may take, as a run's --rdzv-conf "
                       "login_timeout=")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        app.add_flag("--import", m_isImporting, "All names of ~/.ssh/config");
        app.add_flag("--json", m_isJson, "For a program to read");
    }

    int execute() override
    {
        auto book = HostBook::load();
        if (!book)
            return refuse(book.error());
        if (m_action == "ls")
            return list(*book);
        if (m_action == "names")
            return listNames(*book);
        if (m_action == "check")
            return check(*book);
        const auto done = m_action == "add"    ? add(*book)
                          : m_action == "edit" ? edit(*book)
                                               : remove(*book);
        return done ? 0 : refuse(done.error());
    }

private:
    int refuse(const Error& error) const
    {
        if (m_isJson)
            m_out.print(dump({{"error", asJson(error)}}));
        return complain(error);
    }

    static std::vector<std::string> newNames(const HostBook& book)
    {
        std::vector<std::string> names = sshConfigNames(book.sshConfig());
        std::erase_if(names, [&](const std::string& name) { return book.find(name) != nullptr; });
        return names;
    }

    Result<void> readValues()
    {
        m_host.sync = codeSyncOf(m_sync).value_or(CodeSync::Shared);
        for (std::vector<std::string>* list : {&m_host.groups, &m_host.exclude})
            std::erase(*list, std::string());
        std::erase(m_environment, std::string());
        for (const std::string& text : m_environment) {
            const size_t equals = text.find('=');
            if (equals == std::string::npos || !isVariableName(text.substr(0, equals)))
                return fail(code::VariableNameInvalid, {{"name", text.substr(0, equals)}});
            m_host.environment[text.substr(0, equals)] = text.substr(equals + 1);
        }
        return {};
    }

    Result<void> add(HostBook& book)
    {
        std::vector<std::string> names = m_names;
        if (m_isImporting)
            std::ranges::move(newNames(book), std::back_inserter(names));
        RM_TRY(readValues());
        for (const std::string& name : names) {
            Host host = m_host;
            host.name = name;
            RM_TRY(book.put(host));
            m_err.print("Added " + name + "\n");
        }
        if (names.empty())
            m_err.print("Nothing to add: name a host, or --import those of ~/.ssh/config.\n");
        return {};
    }

    /// What stands on the command line is taken over, the rest stays as it is.
    Host edited(Host host) const
    {
        const auto take = [this, &host](const char* option, auto member) {
            if (m_app->count(option) > 0)
                host.*member = m_host.*member;
        };
        take("--ssh", &Host::destination);
        take("--slots", &Host::slots);
        take("--group", &Host::groups);
        take("--python", &Host::interpreter);
        take("--code", &Host::code);
        take("--sync", &Host::sync);
        take("--exclude", &Host::exclude);
        take("--interface", &Host::interface);
        take("--address", &Host::address);
        take("--env", &Host::environment);
        return host;
    }

    Result<void> edit(HostBook& book)
    {
        RM_TRY(readValues());
        for (const std::string& name : m_names) {
            const bool isNew = book.find(name) == nullptr;
            RM_TRY(book.edit(name, [this](const Host& host) { return edited(host); }));
            m_err.print((isNew ? "Added " : "Changed ") + name + "\n");
        }
        if (m_names.empty())
            m_err.print("Nothing to change: name a host; `ringmaster host ls` lists them.\n");
        return {};
    }

    Result<void> remove(HostBook& book) const
    {
        for (const std::string& name : m_names) {
            RM_TRY(book.remove(name));
            m_err.print("Removed " + name + "\n");
        }
        return {};
    }

    int list(const HostBook& book) const
    {
        if (m_isJson) {
            Json hosts = Json::array();
            for (const Host& host : book.hosts())
                hosts.push_back(asJson(host));
            m_out.print(dump(hosts));
            return 0;
        }
        if (book.hosts().empty())
            m_err.print("No hosts yet: `ringmaster host add NAME`, or --import.\n");
        else
            m_out.print(hostTable(book.hosts()));
        return 0;
    }

    int listNames(const HostBook& book) const
    {
        const std::vector<std::string> names = newNames(book);
        if (m_isJson)
            m_out.print(dump(Json(names)));
        for (size_t i = 0; i < names.size() && !m_isJson; ++i)
            m_out.print(names[i] + "\n");
        return 0;
    }

    int check(const HostBook& book) const
    {
        std::vector<std::string> names = m_names;
        if (names.empty())
            for (const Host& host : book.hosts())
                names.push_back(host.name);
        const auto hosts = book.choose(names);
        if (!hosts)
            return refuse(hosts.error());
        const auto ssh = usualSshSettings(book.sshConfig());
        if (!ssh)
            return refuse(ssh.error());
        const auto answers = probeHosts(*hosts, *ssh, std::string(ByteChannel::Sentinel), {},
                                        std::chrono::seconds(m_loginTimeout));
        Json list = Json::array();
        bool isBad = false;
        for (const ProbedHost& answer : answers) {
            isBad = isBad || !answer.facts;
            if (m_isJson)
                list.push_back(asJson(answer));
            else
                m_out.print(hostProbeText(answer, m_out));
        }
        if (m_isJson)
            m_out.print(dump(list));
        return isBad ? 1 : 0;
    }

    const CLI::App* m_app = nullptr; ///< Knows which options were given.
    Terminal m_out{STDOUT_FILENO};
    Terminal m_err{STDERR_FILENO};
    std::string m_action;
    std::vector<std::string> m_names;
    Host m_host;
    std::string m_sync;
    std::vector<std::string> m_environment;
    int m_loginTimeout = static_cast<int>(ProbePatience.count());
    bool m_isImporting = false;
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeHostCommand()
{
    return std::make_unique<HostCommand>();
}

} // namespace ringmaster
