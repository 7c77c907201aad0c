#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/editor/EnvironmentProbe.h"
#include "app/editor/JobDocument.h"
#include "app/widget/Page.h"

class QVBoxLayout;

namespace ringmaster::app {

class Banner;
class Card;
class ChecksPanel;
class CommandPanel;
class EditorColumns;
class EditorHead;
class EnvironmentPanel;
class JobForm;
class StartFromButton;
class TrustBar;

/// New job: the form at the left; at the right the same job as a torchrun command, what each rank
/// gets, and what was checked.
class EditorPage : public JobEditing
{
    Q_OBJECT

public:
    static PageDescription description();
    explicit EditorPage(EngineBridge& bridge, QWidget* parent = nullptr);

    void newJob() override;
    void openFile(const QString& path) override;
    void openText(const QString& jobFile, const QString& workingFolder) override;
    void launch() override;
    void jobStarted(const JobSpec& spec) override;
    void save() override;
    void undo() override;
    void redo() override;
    bool canUndo() const override;
    bool canRedo() const override;
    void focusFilter() override;
    bool isUnsaved() const override;
    void whenSaved(std::function<void()> then) override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap& state) override;

    const JobSpec& job() const;
    /// Where it is to run by itself; empty: here, or as the job says.
    std::string machine() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    /// What is there and was neither saved nor launched can be had back.
    void replace(const JobSpec& spec, const QString& path);
    void load(const JobSpec& spec, const QString& path);
    void revert();
    void updateHint();
    void jobEdited();
    void showPath();
    static QString firstError(const std::vector<Finding>& findings);
    void showFindings(std::vector<Finding> findings);
    void showProblems(const QString& headline, const std::vector<Finding>& findings);
    void pasteCommand();
    /// `then`: once it is in its file.
    void saveThen(std::function<void()> then);
    void saveTo(const QString& path, std::function<void()> then);
    void listHosts();
    void runPreflight();
    JobSpec checkedJob() const;
    void setTexts();

    EngineBridge& m_bridge;
    EnvironmentProbe m_environmentProbe;
    std::vector<std::string> m_askedHosts; ///< Of the preflight that is shown.
    JobDocument m_document;
    quint64 m_loads = 0;     ///< Jobs that the form has had.
    quint64 m_openings = 0;  ///< Jobs and files that were wanted: a file is for the last one.
    bool m_launches = false; ///< Once the checks are through.
    EditorHead* m_head;
    Banner* m_banner;
    TrustBar* m_trust;
    QVBoxLayout* m_above; ///< What is above the columns.
    Card* m_formCard;
    JobForm* m_form;
    StartFromButton* m_startFrom;
    CommandPanel* m_command;
    EnvironmentPanel* m_environment;
    ChecksPanel* m_checks;
    EditorColumns* m_columns;
};

} // namespace ringmaster::app
