#include "app/hosts/HostDialog.h"

#include "app/widget/Card.h"
#include "app/widget/FieldText.h"
#include "app/widget/WarningLabel.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QRegularExpressionValidator>
#include <QSpinBox>

#include <algorithm>

namespace ringmaster::app {

HostDialog::HostDialog(const Host& host, const std::vector<std::string>& taken, QWidget* parent)
    : QDialog(parent)
    , m_isNew(host.name.empty())
    , m_taken(taken)
    , m_name(new QLineEdit(this))
    , m_destination(new QLineEdit(this))
    , m_slots(new QSpinBox(this))
    , m_groups(new QLineEdit(this))
    , m_interpreter(new QLineEdit(this))
    , m_code(new QLineEdit(this))
    , m_sync(new QComboBox(this))
    , m_exclude(new QPlainTextEdit(this))
    , m_interface(new QLineEdit(this))
    , m_address(new QLineEdit(this))
    , m_environment(new QPlainTextEdit(this))
    , m_mistake(new WarningLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this))
{
    build();
    show(host);
    update();
}

void HostDialog::build()
{
    setWindowTitle(m_isNew ? tr("Add a host") : tr("Edit a host"));
    setMinimumWidth(480);
    // As the host book takes it: what begins with a dash would be an option of ssh.
    m_name->setValidator(new QRegularExpressionValidator(
        QRegularExpression(QStringLiteral("[A-Za-z0-9_.][A-Za-z0-9_.@-]{0,252}")), this));
    m_slots->setRange(0, 4096);
    m_slots->setSpecialValueText(tr("as many as the job says"));
    m_sync->addItem(tr("it is there: a shared folder, or copied by hand"));
    m_sync->addItem(tr("copied before each launch, with rsync"));
    m_exclude->setToolTip(
        tr("Patterns as rsync takes them. What is there and not here stays there."));
    constexpr int ThreeLines = 74;
    for (QPlainTextEdit* lines : {m_exclude, m_environment})
        dressLines(*lines, ThreeLines);
    addRows();
    connect(m_buttons, &QDialogButtonBox::accepted, this, &HostDialog::saveRequested);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_sync, &QComboBox::currentIndexChanged, this, &HostDialog::update);
    connect(m_name, &QLineEdit::textChanged, this, &HostDialog::update);
    connect(m_environment, &QPlainTextEdit::textChanged, this, &HostDialog::update);
    m_name->setEnabled(m_isNew);
    (m_isNew ? m_name : m_destination)->setFocus();
}

void HostDialog::addRows()
{
    auto* form = new QFormLayout(this);
    form->setVerticalSpacing(8);
    const auto row = [form](const QString& text, QWidget* field, const QString& placeholder) {
        form->addRow(text, field);
        field->setAccessibleName(text);
        if (auto* line = qobject_cast<QLineEdit*>(field))
            line->setPlaceholderText(placeholder);
    };
    row(tr("Name"), m_name, tr("as in ~/.ssh/config, or user@host"));
    row(tr("Name given to ssh"), m_destination, tr("the same"));
    row(tr("Slots"), m_slots, {});
    row(tr("Groups"), m_groups, tr("lab, gpu"));
    row(tr("Interpreter"), m_interpreter, tr("the active one there"));
    row(tr("Folder with the program"), m_code, tr("the same path as here"));
    row(tr("How it gets there"), m_sync, {});
    row(tr("Not copied"), m_exclude, {});
    m_exclude->setPlaceholderText(tr("data/, one a line"));
    row(tr("Network interface"), m_interface, tr("the one that ssh comes in by"));
    row(tr("Address for other hosts"), m_address, tr("found out"));
    row(tr("Environment"), m_environment, {});
    m_environment->setPlaceholderText(tr("NAME=VALUE, one a line"));
    m_buttons->button(QDialogButtonBox::Save)->setText(tr("Save"));
    m_buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    form->addRow(m_mistake);
    form->addRow(m_buttons);
}

void HostDialog::show(const Host& host)
{
    const auto text = [](const std::string& value) { return QString::fromStdString(value); };
    m_name->setText(text(host.name));
    m_destination->setText(text(host.destination));
    m_slots->setValue(host.slots);
    m_groups->setText(listText(host.groups));
    m_interpreter->setText(text(host.interpreter));
    m_code->setText(text(host.code));
    m_sync->setCurrentIndex(host.sync == CodeSync::Rsync ? 1 : 0);
    showLines(*m_exclude, host.exclude);
    m_interface->setText(text(host.interface));
    m_address->setText(text(host.address));
    m_environment->setPlainText(linesOf(host.environment));
}

Host HostDialog::host() const
{
    const auto text = [](const QLineEdit* field) { return field->text().trimmed().toStdString(); };
    return {.name = text(m_name),
            .destination = text(m_destination),
            .slots = m_slots->value(),
            .groups = listIn(m_groups->text()),
            .interpreter = text(m_interpreter),
            .code = text(m_code),
            .sync = m_sync->currentIndex() == 1 ? CodeSync::Rsync : CodeSync::Shared,
            .exclude = linesIn(*m_exclude),
            .interface = text(m_interface),
            .address = text(m_address),
            .environment = variablesOf(m_environment->toPlainText())};
}

QString HostDialog::mistake() const
{
    if (m_isNew && std::ranges::count(m_taken, m_name->text().trimmed().toStdString()) > 0)
        return tr("There is a host of this name already; edit that one, or choose another name.");
    int wrongLines = 0;
    (void)variablesOf(m_environment->toPlainText(), &wrongLines);
    return wrongLines > 0
               ? tr("%n lines of the environment aren't NAME=VALUE.", nullptr, wrongLines)
               : QString();
}

void HostDialog::update()
{
    m_exclude->setEnabled(m_sync->currentIndex() == 1);
    const QString mistake = this->mistake();
    m_mistake->setText(mistake);
    m_mistake->setVisible(!mistake.isEmpty());
    m_buttons->button(QDialogButtonBox::Save)
        ->setEnabled(m_name->hasAcceptableInput() && mistake.isEmpty());
}

void HostDialog::complain(const QString& why)
{
    m_mistake->setText(why);
    m_mistake->show();
}

} // namespace ringmaster::app
