#include "app/editor/CommandPanel.h"

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

namespace {

/// A short job's line in full; a long one scrolls.
constexpr int FewestLines = 4;
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

} // namespace

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
    const int margins = 2 * (static_cast<int>(m_command->document()->documentMargin()) + 8);
    m_command->setMinimumHeight(FewestLines * QFontMetrics(monospaceFont()).lineSpacing() +
                                margins);
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
    // Where it runs on several machines, torchrun has no line for it.
    const CommandLine line =
        toCommandLine(m_spec, m_spec.isLed() ? LineDialect::Ringmaster : LineDialect::Torchrun);
    const QString command = QString::fromStdString(line.text(Columns));
    // Setting the same text again would take the user's selection away.
    if (command != m_command->toPlainText())
        m_command->setPlainText(command);
    QStringList missing;
    for (const Message& message : line.cannotSay)
        missing.append(itemOf(message));
    m_missing->setToolTip(missing.join(u'\n'));
    if (missing.size() > MostItems)
        missing = missing.mid(0, MostItems) << QStringLiteral("…");
    m_missing->setText(
        missing.isEmpty()
            ? QString()
            : tr("Only a job file can say: %1").arg(missing.join(QStringLiteral(", "))));
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
