#include "app/history/LabelsDialog.h"

#include "app/widget/Card.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ringmaster::app {

LabelsDialog::LabelsDialog(const RunSummary& run, QWidget* parent)
    : QDialog(parent)
    , m_name(new QLineEdit(QString::fromStdString(run.labels.name), this))
    , m_tags(new QLineEdit(this))
    , m_note(new QPlainTextEdit(QString::fromStdString(run.labels.note), this))
{
    constexpr int LongestName = 200;
    setWindowTitle(tr("Name, tags and note"));
    QStringList tags;
    for (const std::string& tag : run.labels.tags)
        tags << QString::fromStdString(tag);
    m_name->setPlaceholderText(QString::fromStdString(run.name));
    m_name->setMaxLength(LongestName);
    m_tags->setText(tags.join(QStringLiteral(", ")));
    m_tags->setPlaceholderText(tr("with commas between them"));
    m_note->setTabChangesFocus(true);
    auto* form = new QFormLayout;
    form->addRow(tr("Name"), m_name);
    form->addRow(tr("Tags"), m_tags);
    form->addRow(tr("Note"), m_note);
    for (const auto& [widget, name] : {std::pair<QWidget*, QString>{m_name, tr("Name")},
                                       {m_tags, tr("Tags")},
                                       {m_note, tr("Note")}})
        widget->setAccessibleName(name);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Save)->setText(tr("Save"));
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    setLook(buttons->button(QDialogButtonBox::Save), "primary");
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(buttons);
    resize(480, 300);
}

RunLabels LabelsDialog::labels() const
{
    RunLabels labels{.name = m_name->text().toStdString(),
                     .note = m_note->toPlainText().toStdString()};
    for (const QString& tag : m_tags->text().split(u','))
        labels.tags.push_back(tag.trimmed().toStdString());
    return tidied(std::move(labels));
}

} // namespace ringmaster::app
