#include "app/editor/ProgramSection.h"

#include "app/editor/ShellText.h"
#include "app/widget/Card.h"
#include "app/widget/FieldText.h"
#include "app/widget/Theme.h"
#include "app/widget/Translated.h"
#include "engine/job/Codes.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QToolButton>

namespace ringmaster::app {

namespace {

constexpr ProgramKind Kinds[] = {ProgramKind::Script, ProgramKind::Module, ProgramKind::Command,
                                 ProgramKind::RunPath};

QHBoxLayout* beside(QWidget* field, QWidget* button)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(field, 1);
    row->addWidget(button);
    return row;
}

} // namespace

ProgramSection::ProgramSection(QWidget* parent)
    : FormSection(parent)
    , m_name(new QLineEdit(this))
    , m_kind(new QComboBox(this))
    , m_program(new QLineEdit(this))
    , m_browseProgram(new QToolButton(this))
    , m_arguments(new QLineEdit(this))
    , m_interpreter(new QComboBox(this))
    , m_folder(new QLineEdit(this))
    , m_browseFolder(new QToolButton(this))
    , m_environment(new QPlainTextEdit(this))
{
    m_interpreter->setEditable(true);
    m_interpreter->setInsertPolicy(QComboBox::NoInsert);
    m_interpreter->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_environment->setFont(monospaceFont());
    m_environment->setTabChangesFocus(true);
    m_environment->setFixedHeight(62);
    for (QToolButton* button : {m_browseProgram, m_browseFolder})
        setLook(button, "button");
    for (size_t i = 0; i < std::size(Kinds); ++i)
        m_kind->addItem(QString());
    m_labels = {addRow(m_name),
                addRow(m_kind),
                addRow(beside(m_program, m_browseProgram), m_program),
                addRow(m_arguments),
                addRow(m_interpreter),
                addRow(beside(m_folder, m_browseFolder), m_folder),
                addRow(m_environment)};
    for (QLineEdit* field : {m_name, m_program, m_arguments, m_folder})
        connect(field, &QLineEdit::textEdited, this, &ProgramSection::tellEdited);
    connect(m_folder, &QLineEdit::editingFinished, this,
            [this] { Q_EMIT workingFolderChanged(m_folder->text()); });
    connect(m_kind, &QComboBox::activated, this, &ProgramSection::tellEdited);
    connect(m_interpreter, &QComboBox::currentTextChanged, this, &ProgramSection::tellEdited);
    connect(m_environment, &QPlainTextEdit::textChanged, this, &ProgramSection::tellEdited);
    connect(m_browseProgram, &QToolButton::clicked, this, &ProgramSection::chooseProgram);
    connect(m_browseFolder, &QToolButton::clicked, this, &ProgramSection::chooseFolder);
    setFields({{"name", m_name},
               {"program", m_program},
               {"module", m_program},
               {"command", m_program},
               {"run_path", m_program},
               {"arguments", m_arguments},
               {"interpreter", m_interpreter},
               {"working_folder", m_folder},
               {"environment", m_environment}});
    translated(this, [this] { setTexts(); });
}

void ProgramSection::load(const JobSpec& spec, size_t role)
{
    m_isLoading = true;
    const Role& shown = spec.roles[role];
    m_name->setText(QString::fromStdString(spec.name));
    m_name->setPlaceholderText(QString::fromStdString(spec.displayName()));
    for (int i = 0; i < static_cast<int>(std::size(Kinds)); ++i) {
        if (Kinds[i] == shown.kind)
            m_kind->setCurrentIndex(i);
    }
    m_program->setText(QString::fromStdString(shown.program));
    m_arguments->setText(lineOf(shown.arguments));
    const int known = m_interpreter->findData(QString::fromStdString(shown.interpreter));
    if (known >= 0)
        m_interpreter->setCurrentIndex(known);
    else
        m_interpreter->setEditText(QString::fromStdString(shown.interpreter));
    m_interpreter->lineEdit()->setCursorPosition(0);
    m_folder->setText(QString::fromStdString(shown.workingFolder));
    int wrongLines = 0;
    if (variablesOf(m_environment->toPlainText(), &wrongLines) != shown.environment ||
        wrongLines > 0)
        m_environment->setPlainText(linesOf(shown.environment));
    m_isLoading = false;
}

void ProgramSection::store(JobSpec& spec, size_t role) const
{
    Role& shown = spec.roles[role];
    spec.name = m_name->text().trimmed().toStdString();
    shown.kind = Kinds[m_kind->currentIndex()];
    shown.program = m_program->text().trimmed().toStdString();
    if (const auto words = wordsOf(m_arguments->text()))
        shown.arguments = *words;
    const int chosen = m_interpreter->findText(m_interpreter->currentText());
    shown.interpreter =
        (chosen >= 0 ? m_interpreter->itemData(chosen).toString() : m_interpreter->currentText())
            .trimmed()
            .toStdString();
    shown.workingFolder = m_folder->text().trimmed().toStdString();
    shown.environment = variablesOf(m_environment->toPlainText());
    m_interpreter->setEnabled(shown.kind != ProgramKind::Command);
}

std::vector<Finding> ProgramSection::mistakes(const JobSpec& spec, size_t role) const
{
    const auto field = [&](std::string_view key) {
        return roleField(role, spec.roles.size(), key);
    };
    std::vector<Finding> mistakes;
    if (const auto words = wordsOf(m_arguments->text()); !words)
        mistakes.push_back({.message = words.error(), .place = {.field = field("arguments")}});
    for (const QString& line : m_environment->toPlainText().split(u'\n')) {
        int wrongLines = 0;
        (void)variablesOf(line, &wrongLines);
        if (wrongLines > 0)
            mistakes.push_back(errorAt(field("environment"), code::VariableLineShape,
                                       {{"value", line.trimmed().toStdString()}}));
    }
    return mistakes;
}

void ProgramSection::setFacts(const LocalFacts& facts)
{
    m_interpreters = facts.interpreters;
    m_activeInterpreter = facts.activeInterpreter;
    fillInterpreters();
}

void ProgramSection::fillInterpreters()
{
    m_isLoading = true;
    const int chosen = m_interpreter->findText(m_interpreter->currentText());
    const QString path =
        chosen >= 0 ? m_interpreter->itemData(chosen).toString() : m_interpreter->currentText();
    m_interpreter->clear();
    m_interpreter->addItem(
        m_activeInterpreter.empty()
            ? tr("the active one (none was found)")
            : tr("the active one: %1").arg(QString::fromStdString(m_activeInterpreter)),
        QString());
    for (const Interpreter& each : m_interpreters) {
        const QString where = QString::fromStdString(each.path);
        QString what = each.torchVersion.empty()
                           ? tr("Python %1, no torch").arg(QString::fromStdString(each.version))
                           : tr("torch %1").arg(QString::fromStdString(each.torchVersion));
        m_interpreter->addItem(QStringLiteral("%1 (%2)").arg(where, what), where);
    }
    const int again = m_interpreter->findData(path);
    if (again >= 0)
        m_interpreter->setCurrentIndex(again);
    else
        m_interpreter->setEditText(path);
    m_interpreter->lineEdit()->setCursorPosition(0);
    m_isLoading = false;
}

void ProgramSection::chooseProgram()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Choose a program"), m_folder->text(),
                                     tr("Python programs (*.py);;All files (*)"));
    if (path.isEmpty())
        return;
    // In its own folder a program finds the files beside it.
    if (m_folder->text().isEmpty()) {
        m_folder->setText(QFileInfo(path).absolutePath());
        Q_EMIT workingFolderChanged(m_folder->text());
    }
    const QString folder = m_folder->text() + u'/';
    m_program->setText(path.startsWith(folder) ? path.mid(folder.size()) : path);
    tellEdited();
}

void ProgramSection::chooseFolder()
{
    const QString path =
        QFileDialog::getExistingDirectory(this, tr("Choose the working folder"), m_folder->text());
    if (path.isEmpty())
        return;
    m_folder->setText(path);
    Q_EMIT workingFolderChanged(path);
    tellEdited();
}

void ProgramSection::setTexts()
{
    setTitle(tr("What to run"));
    label(m_labels[0], m_name, tr("Name"));
    label(m_labels[1], m_kind, tr("Kind"));
    label(m_labels[2], m_program, tr("Program"));
    label(m_labels[3], m_arguments, tr("Arguments"));
    label(m_labels[4], m_interpreter, tr("Interpreter"));
    label(m_labels[5], m_folder, tr("Working folder"));
    label(m_labels[6], m_environment, tr("Environment"));
    m_kind->setItemText(0, tr("Python file"));
    m_kind->setItemText(1, tr("Python module (-m)"));
    m_kind->setItemText(2, tr("Command, without Python"));
    m_kind->setItemText(3, tr("Python file, by runpy (--run-path)"));
    m_program->setPlaceholderText(tr("train.py"));
    m_arguments->setPlaceholderText(tr("as in a shell; ${local_rank} is replaced"));
    m_folder->setPlaceholderText(tr("the folder that Ringmaster was started in"));
    m_environment->setPlaceholderText(tr("NAME=value, one a line"));
    for (QToolButton* button : {m_browseProgram, m_browseFolder})
        button->setText(tr("Browse…"));
    m_browseProgram->setAccessibleName(tr("Browse for the program"));
    m_browseFolder->setAccessibleName(tr("Browse for the working folder"));
    fillInterpreters();
}

} // namespace ringmaster::app
