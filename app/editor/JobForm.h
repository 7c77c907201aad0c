#pragma once

#include "app/editor/FormSection.h"
#include "app/editor/JobHistory.h"

#include <QScrollArea>

class QComboBox;
class QToolButton;

namespace ringmaster::app {

class PlaceSection;
class ProgramSection;

/// A job as a form. What it has no field for is kept as it was loaded.
class JobForm : public QScrollArea
{
    Q_OBJECT

public:
    explicit JobForm(QWidget* parent = nullptr);

    /// Nothing of a row is hidden at its end.
    QSize minimumSizeHint() const override;
    /// All of it is there, and whatever it stands in scrolls.
    void setWhole(bool isWhole);

    /// A job of its own: nothing before it can be brought back.
    void load(const JobSpec& spec);
    /// Where it is to run, which the job itself doesn't say.
    const PlaceSection& place() const { return *m_place; }
    void setLastMachine(const std::optional<std::string>& machine);
    /// As an edit, which can be undone.
    void change(const JobSpec& spec);
    const JobSpec& job() const { return m_spec; }
    /// What is typed and can't be in the job, as errors of their fields.
    std::vector<Finding> mistakes() const;
    void setFacts(const LocalFacts& facts);
    void setHosts(const std::vector<Host>& hosts);
    /// Choosing, adding and removing roles: for the head of what surrounds the form.
    QWidget* roleBar() const { return m_roleBar; }

    void undo();
    void redo();
    bool canUndo() const { return m_history.canUndo(); }
    bool canRedo() const { return m_history.canRedo(); }

    /// Leads the user to a field, as findings name it: "restart.max", "role.1.workers".
    void focusField(const QString& field);
    /// Marks the fields of the errors, which say why. One that nobody has filled in yet is marked
    /// once the job was to start.
    void showErrors(const std::vector<Finding>& findings, bool isLaunching);

    /// The names of those that the user has unfolded; others are unfolded for what is in them.
    const QStringList& openSections() const { return m_opened; }
    void openSections(const QStringList& names);

Q_SIGNALS:
    void edited();
    void workingFolderChanged(const QString& folder);
    void preflightRequested();
    /// Of all of it.
    void heightChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(const JobSpec& spec);
    void fitHeight();
    void noteEdit();
    void loadSections();
    void foldSections();
    void noteChanges();
    static bool isChanged(const FormSection& section);
    std::pair<FormSection*, QWidget*> fieldOf(const QString& field) const;
    void sectionEdited();
    void showRole(int role);
    void addRole();
    void removeRole();
    void updateRoles();
    void setTexts();

    JobSpec m_spec;
    size_t m_role = 0;
    bool m_isWhole = false;
    JobHistory m_history;
    ProgramSection* m_program;
    PlaceSection* m_place;
    std::vector<FormSection*> m_sections;
    bool m_wasToStart = false; ///< The job as it is, however it was edited since.
    QStringList m_opened;
    std::vector<QWidget*> m_wrong; ///< Fields that are marked.
    QWidget* m_roleBar;
    QComboBox* m_roles;
    QToolButton* m_addRole;
    QToolButton* m_removeRole;
};

} // namespace ringmaster::app
