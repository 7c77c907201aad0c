#include "engine/cli/Commands.h"
#include "engine/cli/Grade.h"
#include "engine/cli/HostTable.h"
#include "engine/cli/Json.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/control/ByteChannel.h"
#include "engine/hosts/HostBook.h"
#include "engine/hosts/Preflight.h"

#include <chrono>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class CheckCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"check", "Find out beforehand whether a job can run on some hosts",
                "Asks every host whether it has the interpreter, torch, the folder and the "
                "program, and every pair whether each reaches the other where the workers will "
                "meet. What is wrong comes with its remedy; the exit code is 1 then.",
                "  ringmaster check gpu1 gpu2 --program train.py\n  ringmaster check @lab"};
    }

    void define(CLI::App& app) override
    {
        app.add_option("HOST", m_names, "Names, or @GROUP")->required();
        app.add_option("--program", m_program, "Has to be there, on each host");
        app.add_option("--login-timeout", m_loginTimeout,
                       "Seconds that a login may take, as a run's --rdzv-conf login_timeout=")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        app.add_flag("--json", m_isJson, "For a program to read");
    }

    int execute() override
    {
        const auto book = HostBook::load();
        if (!book)
            return refuse(book.error());
        auto hosts = book->choose(m_names);
        if (!hosts)
            return refuse(hosts.error());
        const auto ssh = usualSshSettings(book->sshConfig());
        if (!ssh)
            return refuse(ssh.error());
        std::error_code ignored;
        const Inquiry inquiry{.folder = std::filesystem::current_path(ignored),
                              .program = m_program,
                              .isPairwise = true};
        const auto findings = judge(probeHosts(*hosts, *ssh, std::string(ByteChannel::Sentinel),
                                               inquiry, std::chrono::seconds(m_loginTimeout)));
        bool isBad = false;
        Json list = Json::array();
        for (const PreflightFinding& finding : findings) {
            isBad = isBad || finding.grade == Grade::Bad;
            if (m_isJson)
                list.push_back({{"host", finding.host},
                                {"peer", finding.peer},
                                {"grade", gradeText(finding.grade)},
                                {"message", asJson(finding.message)},
                                {"fix", finding.fix}});
            else
                print(finding);
        }
        if (m_isJson)
            m_out.print(dump(list));
        return isBad ? 1 : 0;
    }

private:
    int refuse(const Error& error) const
    {
        if (m_isJson)
            m_out.print(dump({{"error", asJson(error)}}));
        return complain(error);
    }

    void print(const PreflightFinding& finding) const
    {
        const std::string grade(gradeText(finding.grade));
        m_out.print(m_out.styled(padded(grade, 6), styleOf(finding.grade)) +
                    harmless(describe(finding.message)) + "\n");
        if (!finding.fix.empty())
            m_out.print("      $ " + harmless(finding.fix) + "\n");
    }

    Terminal m_out{STDOUT_FILENO};
    std::vector<std::string> m_names;
    std::string m_program;
    int m_loginTimeout = static_cast<int>(ProbePatience.count());
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeCheckCommand()
{
    return std::make_unique<CheckCommand>();
}

} // namespace ringmaster
