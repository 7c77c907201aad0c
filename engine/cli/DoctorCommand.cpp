#include "engine/cli/Commands.h"
#include "engine/cli/DoctorFindings.h"
#include "engine/cli/Grade.h"
#include "engine/cli/Json.h"
#include "engine/cli/Terminal.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class DoctorCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"doctor", "Say what is installed, what is missing, and how to get it",
                "Looks at the installation, the folders, the interpreters with their torch, and "
                "the GPUs. The exit code is 1 if something keeps jobs from running."};
    }

    void define(CLI::App& app) override
    {
        app.add_flag("--json", m_isJson, "For a program to read");
        app.add_flag("--build", m_builds,
                     "Compile what records operations, and the backend ring, for torches that "
                     "Ringmaster brings none for; takes minutes");
    }

    int execute() override
    {
        const auto findings =
            examineMachine(m_builds ? MissingObjects::Build : MissingObjects::Tell);
        bool isBad = false;
        Json list = Json::array();
        for (const DoctorFinding& finding : findings) {
            isBad = isBad || finding.grade == Grade::Bad;
            if (m_isJson)
                list.push_back({{"subject", finding.subject},
                                {"grade", gradeText(finding.grade)},
                                {"text", finding.text},
                                {"remedy", finding.remedy}});
            else
                print(finding);
        }
        if (m_isJson)
            m_out.print(dump(list));
        return isBad ? 1 : 0;
    }

private:
    void print(const DoctorFinding& finding) const
    {
        const std::string grade(gradeText(finding.grade));
        m_out.print(
            m_out.styled(grade + std::string(6 - grade.size(), ' '), styleOf(finding.grade)) +
            finding.subject + std::string(15 - std::min<size_t>(14, finding.subject.size()), ' ') +
            harmless(finding.text) + "\n");
        if (!finding.remedy.empty())
            m_out.print(std::string(21, ' ') + finding.remedy + "\n");
    }

    Terminal m_out{STDOUT_FILENO};
    bool m_isJson = false;
    bool m_builds = false;
};

} // namespace

std::unique_ptr<CliCommand> makeDoctorCommand()
{
    return std::make_unique<DoctorCommand>();
}

} // namespace ringmaster
