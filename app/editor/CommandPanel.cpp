#include "app/editor/CommandPanel.h"

#include "app/bridge/Messages.h"
#include "app/widget/Theme.h"
#include "app/widget/Translated.h"
#include "engine/job/TorchrunLine.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace ringmaster::app {

CommandPanel::CommandPanel(QWidget* parent)
    : Card(parent)
    , m_command(new QPlainTextEdit(this))
    , m_missing(new QLabel(this))
    , m_copy(new QToolButton(this))
{
    m_command->setReadOnly(true);
    m_command->setFont(monospaceFont());
    m_command->setTabChangesFocus(true);
    m_command->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_missing->setWordWrap(true);
    setLook(m_missing, "muted");
    setLook(m_copy, "flat");
    addHeaderWidget(m_copy);
    content()->addWidget(m_command, 1);
    content()->addWidget(m_missing);
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(command()); });
    translated(this, [this] { setTexts(); });
}

void CommandPanel::setJob(const JobSpec& spec)
{
    m_spec = spec;
    render();
}

QString CommandPanel::command() const
{
    return m_command->toPlainText();
}

void CommandPanel::render()
{
    constexpr size_t Columns = 52;
    const CommandLine line = toCommandLine(m_spec);
    const QString command = QString::fromStdString(line.text(Columns));
    // Setting the same text again would take the user's selection away.
    if (command != m_command->toPlainText())
        m_command->setPlainText(command);
    QStringList missing;
    for (const Message& message : line.cannotSay)
        missing.append(text(message));
    m_missing->setText(
        missing.isEmpty() ? QString() : tr("torchrun can't be told: %1").arg(missing.join(u' ')));
    m_missing->setVisible(!missing.isEmpty());
}

void CommandPanel::setTexts()
{
    setTitle(tr("Same job on the command line"));
    m_copy->setText(tr("Copy"));
    m_command->setAccessibleName(tr("torchrun command line of this job"));
    render();
}

} // namespace ringmaster::app
