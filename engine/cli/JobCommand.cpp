#include "engine/base/Files.h"
#include "engine/cli/Commands.h"
#include "engine/cli/RunOptions.h"
#include "engine/cli/Terminal.h"
#include "engine/export/SbatchScript.h"
#include "engine/export/TrainJob.h"
#include "engine/job/CommandLine.h"
#include "engine/job/JobFile.h"
#include "engine/job/JobSchema.h"
#include "engine/job/Validation.h"
#include "engine/machine/RealSystemInfo.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class JobCommand : public CliCommand
{
public:
    About about() const override
    {
        return {
            "job", "Convert and check jobs without running them",
            "A .ringjob file and a torchrun command line are two faces of one job; a script for\n"
            "Slurm and a TrainJob for Kubeflow Trainer are made from it and need no Ringmaster.",
            "  ringmaster job --to-torchrun train.ringjob\n"
            "  ringmaster job --from-torchrun -o train.ringjob --nproc-per-node 4 train.py\n"
            "  ringmaster job --to-sbatch -o train.sbatch train.ringjob\n"
            "  ringmaster job --to-kubernetes train.ringjob | kubectl apply -f -\n"
            "  ringmaster job --check train.ringjob\n"
            "  ringmaster job --schema -o ringjob.schema.json"};
    }

    void define(CLI::App& app) override
    {
        auto* modes = app.add_option_group("what to do");
        modes->add_flag("--to-torchrun", m_toTorchrun, "Print the job as a torchrun command line");
        modes->add_flag("--to-ringjob", m_toJobFile, "Print the job as a .ringjob file");
        modes->add_flag("--from-torchrun", m_toJobFile, "The same: the words are torchrun's");
        modes->add_flag("--to-sbatch", m_toSbatch, "Print the job as a script for Slurm's sbatch");
        modes->add_flag("--to-kubernetes", m_toKubernetes,
                        "Print the job as a TrainJob for Kubeflow Trainer");
        modes->add_flag("--schema", m_isSchema,
                        "Print the JSON schema of .ringjob files, for editors");
        modes->add_flag("--check", m_isCheck, "Say all that is wrong with the job on this machine");
        modes->require_option(1);
        app.add_option("-o,--output", m_output, "Write it into this file");
        app.prefix_command();
        m_app = &app;
    }

    int execute() override
    {
        if (m_isSchema)
            return print(jobSchema());
        auto words = m_app->remaining();
        if (!words.empty() && words.front() == "torchrun")
            words.erase(words.begin());
        const auto options = parseRunOptions(words, currentEnvironment(), STDIN_FILENO);
        if (!options) {
            for (const std::string& error : options.error())
                complain(error);
            return 2;
        }
        if (m_isCheck)
            return check(*options);
        if (m_toTorchrun)
            return printLine(options->spec);
        if (m_toSbatch)
            return printText(toSbatchScript(options->spec));
        if (m_toKubernetes)
            return printText(toTrainJob(options->spec));
        return printFile(options->spec);
    }

private:
    static int check(const RunOptions& options)
    {
        std::error_code error;
        const RealSystemInfo here(currentEnvironment(), std::filesystem::current_path(error));
        const auto findings = validate(options.spec, here, options.places);
        const Terminal out(STDOUT_FILENO);
        for (const Finding& finding : findings) {
            switch (finding.severity) {
            case Finding::Severity::Ok:
                out.print(out.styled("ok       ", Terminal::Style::Green));
                break;
            case Finding::Severity::Warning:
                out.print(out.styled("warning  ", Terminal::Style::Yellow));
                break;
            case Finding::Severity::Error:
                out.print(out.styled("error    ", Terminal::Style::Red));
                break;
            }
            out.print(describe(finding) + "\n");
        }
        return hasErrors(findings) ? 2 : 0;
    }

    static int printLine(const JobSpec& spec)
    {
        const CommandLine line = toCommandLine(spec);
        const Terminal out(STDOUT_FILENO);
        out.print(line.text(out.isTerminal() ? static_cast<size_t>(out.columns()) : 0) + "\n");
        printMissing(line.cannotSay);
        printMissing(line.needs);
        return 0;
    }

    static void printMissing(const std::vector<Message>& messages)
    {
        for (const Message& message : messages)
            Terminal(STDERR_FILENO).print("ringmaster: " + describe(message) + "\n");
    }

    /// A script or a manifest.
    template <class Written>
    int printText(const Result<Written>& written) const
    {
        if (!written)
            return complain(written.error());
        const int code = print(written->text);
        if (code == 0) {
            printMissing(written->cannotSay);
            printMissing(written->needs);
        }
        return code;
    }

    int print(const std::string& text) const
    {
        if (m_output.empty())
            Terminal(STDOUT_FILENO).print(text);
        else if (const auto saved = writeFileAtomically(m_output, text); !saved)
            return complain(saved.error());
        return 0;
    }

    int printFile(const JobSpec& spec) const
    {
        if (!m_output.empty()) {
            std::error_code error;
            const auto saved = saveJobFile(m_output, spec, std::filesystem::current_path(error));
            return saved ? 0 : complain(saved.error());
        }
        const auto text = jobFileText(spec);
        if (!text)
            return complain(text.error());
        Terminal(STDOUT_FILENO).print(*text);
        return 0;
    }

    CLI::App* m_app = nullptr;
    bool m_toTorchrun = false;
    bool m_toJobFile = false;
    bool m_toSbatch = false;
    bool m_toKubernetes = false;
    bool m_isCheck = false;
    bool m_isSchema = false;
    std::string m_output;
};

} // namespace

std::unique_ptr<CliCommand> makeJobCommand()
{
    return std::make_unique<JobCommand>();
}

} // namespace ringmaster
