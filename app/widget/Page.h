#pragma once

#include "engine/job/JobSpec.h"
#include "engine/record/RunLabels.h"

#include <QVariantMap>
#include <QWidget>

#include <functional>
#include <optional>

namespace ringmaster::app {

class EngineBridge;

/// What the window needs of one of its pages. A page sets its own texts (see Translated.h) and
/// knows nothing of other pages: it says what it wants by signals.
class Page : public QWidget
{
    Q_OBJECT

public:
    explicit Page(QWidget* parent = nullptr) : QWidget(parent) {}

    /// What the window is titled while the page is shown; empty: as the page. headlineChanged()
    /// says that it is another.
    virtual QString headline() const { return {}; }
    /// Ctrl+F.
    virtual void focusFilter() {}
    /// Space.
    virtual void togglePlay() {}
    virtual bool canPlay() const { return false; }
    /// One of those that its description says it shows.
    virtual void openRun(const std::string& run) { Q_UNUSED(run) }

    /// Something in it would go with the window. Then whenSaved() asks what becomes of that, and
    /// calls `then` unless the user wants to stay.
    virtual bool isUnsaved() const { return false; }
    virtual void whenSaved(std::function<void()> then) { then(); }

    /// What is remembered between sessions: splitters, columns, toggles.
    virtual QVariantMap saveState() const { return {}; }
    virtual void restoreState(const QVariantMap& state) { Q_UNUSED(state) }

Q_SIGNALS:
    void headlineChanged();
    /// The user wants this job to run, from this folder; with a machine, there by itself.
    void launchRequested(const ringmaster::JobSpec& spec, const QString& workingFolder,
                         const QString& machine = {});
    /// On the page where its result is looked at.
    void runChosen(const QString& run);
    /// On the run's own page: its workers and its log.
    void jobChosen(const QString& run);
    /// Open this job in the editor: `.ringjob` text, and the folder its paths are relative to.
    void editRequested(const QString& jobFile, const QString& workingFolder);
    /// Start this job once more as it is; with a machine, there, where its folder is.
    void runAgainRequested(const QString& jobFile, const QString& workingFolder,
                           const QString& machine = {});
    void newJobRequested();
    void openRequested();
    void exampleRequested(const QString& name);
    /// Nothing but the page, on the whole screen; or as it was again.
    void presentationRequested(bool isOn);
    /// A short affirmation; with `undo` it can be taken back.
    void toastRequested(const QString& text, const std::function<void()>& undo);
};

/// The page that makes and changes jobs, as the window uses it.
class JobEditing : public Page
{
    Q_OBJECT

public:
    using Page::Page;

    virtual void newJob() = 0;
    /// A `.ringjob` file. Tells the user itself when it can't be read.
    virtual void openFile(const QString& path) = 0;
    /// `.ringjob` text that isn't a file yet: an example, or the job of a run.
    virtual void openText(const QString& jobFile, const QString& workingFolder) = 0;
    /// Starts what is in the editor.
    virtual void launch() = 0;
    /// A job has started: the one that was launched here, or another.
    virtual void jobStarted(const JobSpec& spec) = 0;
    virtual void save() = 0;
    virtual void undo() = 0;
    virtual void redo() = 0;
    virtual bool canUndo() const = 0;
    virtual bool canRedo() const = 0;

Q_SIGNALS:
    /// What canUndo() and canRedo() say may be something else now.
    void historyChanged();
    /// Open this example, or the job of this run, here.
    void exampleOpenRequested(const QString& name);
    void runOpenRequested(const QString& run);
};

/// What the window knows of a page before there is one: it is made when it is first asked for. Each
/// page's class describes itself; main/Pages.cpp lists the descriptions in their order.
struct PageDescription
{
    enum class Place {
        SideBar,
        Editor ///< A JobEditing: where jobs are made and changed.
    };

    QString key{};                       ///< Under which its state is kept between sessions.
    std::function<QString()> title{};    ///< In the side bar, in the language of now.
    std::optional<RunPurpose> results{}; ///< Runs for this are looked at here, not on Jobs.
    Place place = Place::SideBar;
    std::function<Page*(EngineBridge&, QWidget*)> make{};
};

template <class PageClass>
Page* makePage(EngineBridge& bridge, QWidget* parent)
{
    return new PageClass(bridge, parent);
}

} // namespace ringmaster::app
