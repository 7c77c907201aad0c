#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/main/JobStarter.h"
#include "app/main/Session.h"
#include "app/main/WindowClosing.h"
#include "app/model/RunListModel.h"
#include "app/widget/Page.h"

#include <QMainWindow>
#include <QTimer>

class QVBoxLayout;

namespace ringmaster::app {

class JobAlerts;
class JobsPage;
class MachineBridge;
class MenuBar;
struct OpenRequest;
class PageStack;
class SideBar;
class Toast;

/// The one window: side bar, menu bar and the stack of pages. Knows how pages hang together,
/// nothing of what is in them.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// `pages` are those besides Jobs. Without an editor among them, nothing is offered to edit.
    MainWindow(EngineBridge& bridge, Theme& theme, Language& language,
               const std::vector<PageDescription>& pages, QWidget* parent = nullptr);

    void restoreSession();
    /// To somebody who starts the dashboard for the first time.
    void offerTour();
    /// A `.ringjob` or `.ringrun` file.
    void openFile(const QString& path);
    /// In the editor.
    void openExample(const QString& name);
    void open(const OpenRequest& request);
    /// `activationToken` is the desktop's leave to do so; may be empty.
    void comeToFront(const QString& activationToken);
    /// On the page where its result is looked at.
    void showRun(const QString& run);
    /// Those that are watched, where jobs can be launched; they outlive the window.
    void setMachines(MachineBridge& machines) { m_starter->setMachines(machines); }

    JobsPage& jobsPage() { return *m_jobs; }
    Toast& toast() { return *m_toast; }

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void addPage(const PageDescription& description, Page* page = nullptr);
    void showPage(Page* page);
    void showJob(const QString& run);
    void showOpened(const QString& run);
    void awaitOpenedRuns();
    void present(bool isOn);
    void connectPage(Page* page);
    void connectEditor(JobEditing* editor);
    void withEditor(const std::function<void(JobEditing&)>& work);
    void connectShell();
    void updateEditActions();
    void chooseFile();
    void chooseFolder();
    void edit(const QString& jobFile, const QString& workingFolder);
    void tell(const QString& sentence);
    void saveSession();
    void setTexts();
    void setTitle();

    EngineBridge& m_bridge;
    Session m_session;
    RunProgress m_progress;
    RunListModel m_runs;
    JobStarter* m_starter;
    WindowClosing* m_closing;
    SideBar* m_sideBar;
    PageStack* m_stack;
    QVBoxLayout* m_column; ///< The stack, and what stands above it.
    JobsPage* m_jobs;
    int m_editorId = -1;            ///< Of the page that edits jobs; negative: none does.
    JobEditing* m_editor = nullptr; ///< Once it was asked for.
    MenuBar* m_menus;
    Toast* m_toast;
    Page* m_toastPage = nullptr; ///< Whose it is; none: the window's.
    JobAlerts* m_alerts;
    QString m_openedRun;  ///< From a file; not in the list yet.
    QTimer m_openedDelay; ///< Until it is shown as a job, unless the list has it before.
};

} // namespace ringmaster::app
