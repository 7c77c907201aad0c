#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/editor/EnvironmentProbe.h"
#include "app/widget/Page.h"

class QScrollArea;
class QSplitter;
class QVBoxLayout;

namespace ringmaster::app {

class Banner;
class Card;
class ChecksPanel;
class CommandPanel;
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

    QString title() const override;
    void newJob() override;
    void openFile(const QString& path) override;
    void openText(const QString& jobFile, const QString& workingFolder) override;
    void launch() override;
    void save() override;
    void undo() override;
    void redo() override;
    bool canUndo() const override;
    bool canRedo() const override;
    void focusFilter() override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap& state) override;

    const JobSpec& job() const;
    /// Where it is to run by itself; empty: here, or as the job says.
    std::string machine() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void placeColumns();
    /// What is there and was neither saved nor launched can be had back.
    void replace(const JobSpec& spec, const QString& path);
    void load(const JobSpec& spec, const QString& path);
    void revert();
    void updateHint();
    void jobEdited();
    void setPath(const QString& path);
    static QString firstError(const std::vector<Finding>& findings);
    void showFindings(const std::vector<Finding>& findings);
    void showProblems(const QString& headline, const std::vector<Finding>& findings);
    void pasteCommand();
    void saveTo(const QString& path);
    void listHosts();
    void runPreflight();
    JobSpec checkedJob() const;
    void setTexts();

    EngineBridge& m_bridge;
    EnvironmentProbe m_environmentProbe;
    std::vector<std::string> m_askedHosts; ///< Of the preflight that is shown.
    QString m_path; ///< Of the file that the job came from or went to; empty: none yet.
    bool m_isDirty = false;
    std::optional<JobSpec> m_launched; ///< As it runs, or last ran.
    bool m_launches = false;           ///< Once the checks are through.
    EditorHead* m_head;
    Banner* m_banner;
    TrustBar* m_trust;
    QVBoxLayout* m_above; ///< What is above the columns.
    QScrollArea* m_area;  ///< Scrolls where the window is narrow.
    QSplitter* m_columns;
    QSplitter* m_panels;
    Card* m_formCard;
    JobForm* m_form;
    StartFromButton* m_startFrom;
    CommandPanel* m_command;
    EnvironmentPanel* m_environment;
    ChecksPanel* m_checks;
};

} // namespace ringmaster::app
