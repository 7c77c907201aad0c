#include "app/editor/CommandPanel.h"

#include "app/bridge/Messages.h"
#include "app/widget/Theme.h"
#include "app/widget/Translated.h"
#include "engine/job/CommandLine.h"
#include "engine/slurm/SlurmRunScript.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

namespace {

/// A short job's line in full, and what a script asks for; longer ones scroll.
constexpr int FewestLines = 4;
constexpr int ScriptLines = 8;
/// Of those that a line can't say; the tool tip has them all.
constexpr qsizetype MostItems = 6;

/// "environment.HOME (/x)": what only a job file keeps.
QString itemOf(const Message& message)
{
    constexpr qsizetype LongestValue = 40;
    const auto parameter = [&message](const char* name) {
        const auto found = message.parameters.find(name);
        return found == message.parameters.end()
                   ? QString()
                   : QString::fromStdString(found->second).simplified();
    };
    QString value = parameter("value");
    if (value.size() > LongestValue)
        value = value.left(LongestValue - 1) + u'…';
    return value.isEmpty() ? parameter("what")
                           : QStringLiteral("%1 (%2)").arg(parameter("what"), value);
}

/// Where it runs on several machines or in a container, torchrun has no line for it.
bool knowsTorchrun(const JobSpec& spec)
{
    return !spec.isLed() &&
           std::ranges::all_of(spec.roles, [](const Role& role) { return role.image.empty(); });
}

} // namespace

CommandPanel::CommandPanel(QWidget* parent)
    : Card(parent)
    , m_command(new QPlainTextEdit(this))
    , m_missing(new QLabel(this))
    , m_toScript(new QToolButton(this))
    , m_copy(new QToolButton(this))
{
    m_command->setReadOnly(true);
    m_command->setFont(monospaceFont());
    m_command->setTabChangesFocus(true);
    m_command->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_missing->setWordWrap(true);
    setLook(m_missing, "muted");
    m_toScript->setCheckable(true);
    for (QToolButton* button : {m_toScript, m_copy}) {
        setLook(button, "flat");
        addHeaderWidget(button);
    }
    connect(m_toScript, &QToolButton::toggled, this, &CommandPanel::render);
    content()->addWidget(m_command, 1);
    content()->addWidget(m_missing);
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(command()); });
    translated(this, [this] { setTexts(); });
}

void CommandPanel::setJob(const JobSpec& spec, const std::string& machine)
{
    m_spec = spec;
    m_machine = machine;
    render();
}

QString CommandPanel::command() const
{
    return m_command->toPlainText();
}

void CommandPanel::setExecutable(const std::string& path)
{
    m_executable = path;
    render();
}

void CommandPanel::render()
{
    const bool isSlurm = m_spec.runOn == RunOn::Slurm;
    m_toScript->setVisible(isSlurm);
    const bool isScript = isSlurm && m_toScript->isChecked();
    setTitle(isScript ? tr("Script that Slurm is given") : tr("Same job on the command line"));
    m_command->setAccessibleName(isScript ? tr("Script that Slurm is given")
                                          : tr("torchrun command line of this job"));
    const int margins = 2 * (static_cast<int>(m_command->document()->documentMargin()) + 8);
    m_command->setMinimumHeight((isScript ? ScriptLines : FewestLines) *
                                    QFontMetrics(monospaceFont()).lineSpacing() +
                                margins);
    isScript ? renderScript() : renderCommand();
}

/// Setting the same text again would take the user's selection away.
void CommandPanel::display(const QString& text)
{
    if (text != m_command->toPlainText())
        m_command->setPlainText(text);
}

void CommandPanel::renderScript()
{
    const std::string& folder = m_spec.roles.front().workingFolder;
    const auto script = slurmPreview(m_spec, m_executable.empty() ? "ringmaster" : m_executable,
                                     folder.empty() ? QDir::currentPath().toStdString() : folder);
    display(script ? QString::fromStdString(*script) : QString());
    m_missing->setText(script ? tr("RUN is the run's id, known at the launch.")
                              : text(static_cast<const Message&>(script.error())));
    m_missing->setToolTip({});
    m_missing->show();
}

void CommandPanel::renderCommand()
{
    constexpr size_t Columns = 52;
    const bool isTorchrun = m_machine.empty() && knowsTorchrun(m_spec);
    CommandLine line =
        toCommandLine(m_spec, isTorchrun ? LineDialect::Torchrun : LineDialect::Ringmaster);
    if (!m_machine.empty())
        line.words.insert(std::ranges::find(line.words, "run") + 1, {"--on", m_machine});
    display(QString::fromStdString(line.text(Columns)));
    QStringList missing;
    for (const Message& message : line.cannotSay)
        missing.append(itemOf(message));
    m_missing->setToolTip(missing.join(u'\n'));
    if (missing.size() > MostItems)
        missing = missing.mid(0, MostItems) << QStringLiteral("…");
    QStringList notes;
    if (!missing.isEmpty())
        notes << tr("Only a job file can say: %1").arg(missing.join(QStringLiteral(", ")));
    for (const Message& message : line.needs)
        notes << text(message);
    m_missing->setText(notes.join(u'\n'));
    m_missing->setVisible(!notes.isEmpty());
}

void CommandPanel::setTexts()
{
    m_copy->setText(tr("Copy"));
    m_toScript->setText(tr("Slurm script"));
    m_toScript->setToolTip(tr("Show what sbatch will be given instead of the command line"));
    render();
}

} // namespace ringmaster::app
