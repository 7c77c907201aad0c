#include "engine/base/Paths.h"
#include "engine/cli/Commands.h"
#include "engine/cli/RunChoice.h"
#include "engine/cli/Terminal.h"
#include "engine/record/RunCatalog.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class LabelCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"label", "Name, tag, note or pin a run",
                "What is written on a run is kept beside it and is in `ps --all`, `show` and the "
                "dashboard's History. A pinned run is never removed to make room.",
                "  ringmaster label 20261124-1713-train-x7k2 --name \"wide net\" --tag lr\n"
                "  ringmaster label train --note \"diverged after epoch 3\" --pin\n"
                "  ringmaster label train --name \"\" --untag lr --unpin"};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_run, "Its id, a beginning of it, or its name")->required();
        m_nameGiven = app.add_option("--name", m_name, "Shown in the job's place; \"\": none");
        m_noteGiven = app.add_option("--note", m_note, "A text; \"\": none");
        app.add_option("--tag", m_tags, "One more tag")->expected(1)->take_all();
        app.add_option("--untag", m_untags, "One tag less")->expected(1)->take_all();
        auto* pin = app.add_flag("--pin", m_isPinned, "Never remove it to make room");
        app.add_flag("--unpin", m_isUnpinned, "It may be removed")->excludes(pin);
    }

    int execute() override
    {
        const auto done = write();
        return done ? 0 : complain(done.error());
    }

private:
    Result<void> write() const
    {
        const RunCatalog catalog(runsFolder());
        const RunSummary run = RM_TRY(chooseRun(catalog.list(), m_run, RunScope::All));
        const RunFolder folder = RM_TRY(catalog.find(run.id));
        RunLabels labels = run.labels;
        if (m_nameGiven->count() > 0)
            labels.name = m_name;
        if (m_noteGiven->count() > 0)
            labels.note = m_note;
        for (const std::string& tag : m_untags)
            std::erase(labels.tags, tag);
        labels.tags.insert(labels.tags.end(), m_tags.begin(), m_tags.end());
        RM_TRY(folder.setLabels(labels));
        if (m_isPinned || m_isUnpinned)
            RM_TRY(folder.setPinned(m_isPinned));
        Terminal(STDERR_FILENO).print("Labelled " + run.id + "\n");
        return {};
    }

    std::string m_run;
    std::string m_name;
    std::string m_note;
    CLI::Option* m_nameGiven = nullptr;
    CLI::Option* m_noteGiven = nullptr;
    std::vector<std::string> m_tags;
    std::vector<std::string> m_untags;
    bool m_isPinned = false;
    bool m_isUnpinned = false;
};

} // namespace

std::unique_ptr<CliCommand> makeLabelCommand()
{
    return std::make_unique<LabelCommand>();
}

} // namespace ringmaster
