#pragma once

#include "app/editor/FormSection.h"

class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QToolButton;

namespace ringmaster::app {

/// What to run: program, arguments, interpreter, folder, environment of one role.
class ProgramSection : public FormSection
{
    Q_OBJECT

public:
    explicit ProgramSection(QWidget* parent = nullptr);

    void load(const JobSpec& spec, size_t role) override;
    void store(JobSpec& spec, size_t role) const override;
    std::vector<Finding> mistakes(const JobSpec& spec, size_t role) const override;
    void setFacts(const LocalFacts& facts) override;

Q_SIGNALS:
    void workingFolderChanged(const QString& folder);

private:
    void chooseProgram();
    void chooseFolder();
    void fillInterpreters();
    void setTexts();

    std::vector<Interpreter> m_interpreters;
    std::string m_activeInterpreter;
    QLineEdit* m_name;
    QComboBox* m_kind;
    QLineEdit* m_program;
    QToolButton* m_browseProgram;
    QLineEdit* m_arguments;
    QComboBox* m_interpreter;
    QLineEdit* m_folder;
    QToolButton* m_browseFolder;
    QPlainTextEdit* m_environment;
    std::vector<QLabel*> m_labels;
};

} // namespace ringmaster::app
