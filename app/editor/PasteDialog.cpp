#include "app/editor/PasteDialog.h"

#include "app/bridge/Messages.h"
#include "app/widget/Card.h"
#include "app/widget/Theme.h"
#include "engine/base/Environment.h"
#include "engine/job/PastedCommand.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ringmaster::app {

PasteDialog::PasteDialog(QWidget* parent)
    : QDialog(parent)
    , m_text(new QPlainTextEdit(this))
    , m_verdict(new QLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this))
{
    setWindowTitle(tr("Paste a torchrun command"));
    auto* explanation =
        new QLabel(tr("torchrun, python -m torch.distributed.run or ringmaster run, with variables "
                      "before it and lines that are continued. Nothing is run."),
                   this);
    explanation->setWordWrap(true);
    setLook(explanation, "muted");
    m_text->setFont(monospaceFont());
    m_text->setAccessibleName(tr("Command"));
    m_text->setTabChangesFocus(true);
    m_text->setPlaceholderText(QStringLiteral(
        "OMP_NUM_THREADS=2 torchrun --nproc-per-node 4 \\\n    train.py --epochs 10"));
    m_verdict->setWordWrap(true);
    m_verdict->setMinimumHeight(48);
    m_verdict->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Use it"));
    m_buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(explanation);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_verdict);
    layout->addWidget(m_buttons);
    resize(640, 360);
    connect(m_text, &QPlainTextEdit::textChanged, this, &PasteDialog::read);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    read();
}

void PasteDialog::setText(const QString& command)
{
    m_text->setPlainText(command);
}

void PasteDialog::read()
{
    const auto pasted =
        parsePastedCommand(m_text->toPlainText().toStdString(), currentEnvironment());
    QStringList sentences;
    if (pasted) {
        m_spec = pasted->line.spec;
        sentences.append(tr("This starts %1.").arg(QString::fromStdString(m_spec.displayName())));
        for (const Message& note : pasted->notes)
            sentences.append(text(note));
    } else if (!m_text->toPlainText().trimmed().isEmpty()) {
        for (const Message& error : pasted.error().messages)
            sentences.append(text(error));
    }
    m_verdict->setText(sentences.join(u'\n'));
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(pasted.has_value());
}

} // namespace ringmaster::app
