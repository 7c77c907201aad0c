#pragma once

#include "app/widget/Card.h"
#include "engine/job/JobSpec.h"

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace ringmaster::app {

/// The job as a torchrun command line, and what such a line can't say; of one under Slurm, the
/// script that will be submitted, too.
class CommandPanel : public Card
{
    Q_OBJECT

public:
    explicit CommandPanel(QWidget* parent = nullptr);

    /// `machine` runs it by itself; empty: none does.
    void setJob(const JobSpec& spec, const std::string& machine = {});
    /// Where `ringmaster` is on this machine.
    void setExecutable(const std::string& path);
    QString command() const;

private:
    void render();
    void renderCommand();
    void renderScript();
    void display(const QString& text);
    void setTexts();

    JobSpec m_spec;
    std::string m_machine;
    std::string m_executable;
    QPlainTextEdit* m_command;
    QLabel* m_missing;
    QToolButton* m_toScript;
    QToolButton* m_copy;
};

} // namespace ringmaster::app
