#include "app/editor/EditorPage.h"

#include "app/bridge/Background.h"
#include "app/bridge/Messages.h"
#include "app/editor/ChecksPanel.h"
#include "app/editor/CommandPanel.h"
#include "app/editor/EditorColumns.h"
#include "app/editor/EditorHead.h"
#include "app/editor/EnvironmentPanel.h"
#include "app/editor/FreshJob.h"
#include "app/editor/JobForm.h"
#include "app/editor/MachinePlace.h"
#include "app/editor/PasteDialog.h"
#include "app/editor/PlaceSection.h"
#include "app/editor/StartFromButton.h"
#include "app/editor/TrustBar.h"
#include "app/widget/Banner.h"
#include "app/widget/Card.h"
#include "app/widget/Question.h"
#include "app/widget/Translated.h"
#include "engine/job/JobFile.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

PageDescription EditorPage::description()
{
    return {.key = QStringLiteral("editor"),
            .title = [] { return tr("New job"); },
            .place = PageDescription::Place::Editor,
            .make = makePage<EditorPage>};
}

EditorPage::EditorPage(EngineBridge& bridge, QWidget* parent)
    : JobEditing(parent)
    , m_bridge(bridge)
    , m_head(new EditorHead(this))
    , m_banner(new Banner(this))
    , m_trust(new TrustBar(this))
    , m_above(new QVBoxLayout)
    , m_formCard(new Card)
    , m_form(new JobForm)
    , m_startFrom(new StartFromButton(bridge))
    , m_command(new CommandPanel)
    , m_environment(new EnvironmentPanel)
    , m_checks(new ChecksPanel)
{
    build();
    connect(m_form, &JobForm::edited, this, &EditorPage::jobEdited);
    connect(m_columns, &EditorColumns::stackedChanged, m_form, &JobForm::setWhole);
    connect(m_form, &JobForm::heightChanged, m_columns, &EditorColumns::place,
            Qt::QueuedConnection);
    connect(m_form, &JobForm::workingFolderChanged, &m_environmentProbe,
            &EnvironmentProbe::lookAround);
    connect(m_checks, &ChecksPanel::fieldChosen, m_form, &JobForm::focusField);
    connect(&m_environmentProbe, &EnvironmentProbe::checked, this, &EditorPage::showFindings);
    connect(&m_environmentProbe, &EnvironmentProbe::factsChanged, this, [this] {
        m_form->setFacts(m_environmentProbe.facts());
        m_command->setExecutable(m_environmentProbe.facts().command);
        m_environment->setJob(job(), m_environmentProbe.facts().counts);
    });
    connect(m_trust, &TrustBar::agreed, this,
            [this] { m_environmentProbe.checkNow(checkedJob(), {.trusted = m_trust->trusted()}); });
    connect(m_form, &JobForm::preflightRequested, this, &EditorPage::runPreflight);
    connect(&m_bridge, &EngineBridge::hostsChanged, this, &EditorPage::listHosts);
    connect(m_startFrom, &StartFromButton::exampleChosen, this, &JobEditing::exampleOpenRequested);
    connect(m_startFrom, &StartFromButton::runChosen, this, &JobEditing::runOpenRequested);
    connect(m_head, &EditorHead::openRequested, this, &Page::openRequested);
    connect(m_head, &EditorHead::pasteRequested, this, &EditorPage::pasteCommand);
    connect(m_head, &EditorHead::saveRequested, this, &EditorPage::save);
    connect(m_head, &EditorHead::launchRequested, this, &EditorPage::launch);
    connect(m_head, &EditorHead::revertRequested, this, &EditorPage::revert);
    translated(this, [this] { setTexts(); });
    load(freshJob(), {});
}

void EditorPage::build()
{
    m_formCard->addHeaderWidget(m_startFrom);
    m_formCard->addHeaderWidget(m_form->roleBar());
    m_formCard->content()->addWidget(m_form);
    // Full by now: the keyboard goes through it before the panels.
    m_columns = new EditorColumns(m_formCard, {m_command, m_environment, m_checks}, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    m_above->setSpacing(12);
    m_above->addWidget(m_head);
    m_above->addWidget(m_banner);
    m_above->addWidget(m_trust);
    layout->addLayout(m_above);
    layout->addWidget(m_columns, 1);
    connect(m_columns, &EditorColumns::barChanged, this, [this, layout](int bar) {
        layout->setContentsMargins(22, 16, 22 - bar, 18);
        m_above->setContentsMargins(0, 0, bar, 0);
    });
    m_banner->hide();
}

const JobSpec& EditorPage::job() const
{
    return m_form->job();
}

std::string EditorPage::machine() const
{
    return m_form->place().machine();
}

JobSpec EditorPage::checkedJob() const
{
    return machine().empty() ? job() : MachinePlace::checkedHere(job(), machine());
}

void EditorPage::newJob()
{
    replace(freshJob(), {});
    m_form->focusField(QStringLiteral("program"));
}

void EditorPage::openFile(const QString& path)
{
    inBackground(
        m_environmentProbe.pool(), this, [path] { return loadJobFile(path.toStdString()); },
        [this, path, opening = ++m_openings](const JobFileResult& file) {
            if (!file)
                showProblems(tr("%1 can't be opened.").arg(QFileInfo(path).fileName()),
                             file.error());
            else if (opening == m_openings)
                replace(file->spec, path);
        });
}

void EditorPage::openText(const QString& jobFile, const QString& workingFolder)
{
    JobFileResult file = parseJobFile(jobFile.toStdString());
    if (!file)
        return showProblems(tr("This job can't be read."), file.error());
    for (Role& role : file->spec.roles) {
        if (role.workingFolder.empty())
            role.workingFolder = workingFolder.toStdString();
    }
    replace(file->spec, {});
    m_document.openedFromRun(job());
}

void EditorPage::replace(const JobSpec& spec, const QString& path)
{
    if (m_document.wouldBeLost(job(), spec)) {
        Q_EMIT toastRequested(tr("Another job is in the form now"),
                              [this, before = job(), beforePath = m_document.path()] {
                                  load(before, beforePath);
                                  m_document.edited();
                                  setTexts();
                              });
    }
    load(spec, path);
}

void EditorPage::load(const JobSpec& spec, const QString& path)
{
    ++m_loads;
    ++m_openings;
    m_launches = false;
    m_banner->clear();
    m_form->load(spec);
    m_document.opened(path);
    showPath();
    // What was found about the job before says nothing of this one.
    m_checks->setFindings({});
    m_head->setProblem({});
    m_form->showErrors({}, false);
    jobEdited();
    m_document.opened(path); // nobody has edited it
    setTexts();
    m_environmentProbe.lookAround(QString::fromStdString(spec.roles.front().workingFolder));
}

void EditorPage::showEvent(QShowEvent* event)
{
    JobEditing::showEvent(event);
    listHosts();
}

/// A book that can't be read is the Hosts page's to tell of; names can be typed all the same.
void EditorPage::listHosts()
{
    m_bridge.ask(&HostRegistry::list).then(this, [this](const Result<std::vector<Host>>& hosts) {
        if (hosts)
            m_form->setHosts(*hosts);
    });
}

void EditorPage::runPreflight()
{
    if (job().hosts.empty())
        return;
    const Role& role = job().roles.front();
    const QString folder = role.workingFolder.empty() ? QDir::currentPath()
                                                      : QString::fromStdString(role.workingFolder);
    HostRegistry::PreflightRequest request{.hosts = job().hosts, .folder = folder.toStdString()};
    if (role.kind == ProgramKind::Script)
        request.program = role.program;
    m_askedHosts = request.hosts;
    m_checks->setAsking();
    m_bridge.ask(&HostRegistry::preflight, request)
        .then(this,
              [this, asked = request.hosts](const Result<std::vector<PreflightFinding>>& findings) {
                  if (asked == m_askedHosts)
                      m_checks->setPreflight(findings);
              });
}

void EditorPage::jobEdited()
{
    if (job().hosts != m_askedHosts) {
        m_askedHosts.clear();
        m_checks->forgetPreflight();
    }
    m_document.edited();
    m_launches = false;
    m_command->setJob(job(), machine());
    m_environment->setJob(job(), m_environmentProbe.facts().counts);
    m_environmentProbe.check(checkedJob(), {.trusted = m_trust->trusted()});
    m_checks->setChecking();
    setTexts();
    updateHint();
    Q_EMIT historyChanged();
}

void EditorPage::showPath()
{
    const QString& path = m_document.path();
    m_trust->setFile(path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath());
}

void EditorPage::updateHint()
{
    m_head->setWaiting(m_document.waitsForLaunch(job()));
}

void EditorPage::revert()
{
    m_form->change(JobSpec(*m_document.launched()));
}

void EditorPage::undo()
{
    m_form->undo();
}

void EditorPage::redo()
{
    m_form->redo();
}

bool EditorPage::canUndo() const
{
    return m_form->canUndo();
}

bool EditorPage::canRedo() const
{
    return m_form->canRedo();
}

void EditorPage::launch()
{
    m_launches = true;
    m_head->setLaunching(true);
    m_environmentProbe.checkNow(checkedJob(), {.isGiven = true});
}

void EditorPage::jobStarted(const JobSpec& spec)
{
    m_document.started(spec, job());
    updateHint();
    setTexts();
}

/// Why it can't be launched; empty: it can.
QString EditorPage::firstError(const std::vector<Finding>& findings)
{
    const auto error = std::ranges::find(findings, Finding::Severity::Error, &Finding::severity);
    return error == findings.end() ? QString() : text(error->message);
}

void EditorPage::showFindings(std::vector<Finding> findings)
{
    const std::vector<Finding> mistakes = m_form->mistakes();
    findings.insert(findings.begin(), mistakes.begin(), mistakes.end());
    m_trust->setFindings(findings);
    m_checks->setFindings(findings);
    m_head->setLaunching(false);
    m_head->setProblem(firstError(findings));
    m_form->showErrors(findings, m_launches);
    if (!std::exchange(m_launches, false)) {
        if (!hasErrors(findings))
            m_banner->clear();
        return;
    }
    if (hasErrors(findings)) {
        showProblems(tr("The job was not started."), findings);
        m_form->focusField(QString::fromStdString(findings.front().place.field));
        return;
    }
    m_banner->clear();
    m_document.launchAsked(job());
    const std::string& folder = job().roles.front().workingFolder;
    Q_EMIT launchRequested(job(),
                           folder.empty() ? QDir::currentPath() : QString::fromStdString(folder),
                           QString::fromStdString(machine()));
}

void EditorPage::showProblems(const QString& headline, const std::vector<Finding>& findings)
{
    QStringList sentences;
    for (const Finding& finding : findings) {
        if (finding.severity != Finding::Severity::Error)
            continue;
        const QString sentence = text(finding.message);
        sentences.append(finding.place.line > 0 ? tr("Line %1, column %2: %3")
                                                      .arg(finding.place.line)
                                                      .arg(finding.place.column)
                                                      .arg(sentence)
                                                : sentence);
    }
    const QString first = sentences.isEmpty() ? QString() : sentences.takeFirst();
    m_banner->show(Notice::Severity::Error, headline, first, sentences.join(u'\n'));
}

void EditorPage::pasteCommand()
{
    auto* dialog = new PasteDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const QString clipboard = QApplication::clipboard()->text();
    if (clipboard.contains(QLatin1String("torchrun")) ||
        clipboard.contains(QLatin1String("torch.distributed")))
        dialog->setText(clipboard.left(64 << 10));
    connect(dialog, &QDialog::accepted, this, [this, dialog] { replace(dialog->job(), {}); });
    dialog->open();
}

bool EditorPage::isUnsaved() const
{
    return m_document.wouldBeLost(job(), freshJob());
}

void EditorPage::whenSaved(std::function<void()> then)
{
    if (!isUnsaved())
        return then();
    askToSave(
        window(),
        {.objectName = QStringLiteral("unsavedJob"),
         .title = tr("Save the job?"),
         .text = tr("The job in the editor isn't saved.")},
        [this, then] { saveThen(then); }, then);
}

void EditorPage::save()
{
    saveThen({});
}

void EditorPage::saveThen(std::function<void()> then)
{
    if (!m_document.path().isEmpty())
        return saveTo(m_document.path(), std::move(then));
    auto* dialog = new QFileDialog(this, tr("Save the job"));
    dialog->setObjectName(QStringLiteral("saveJob"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Jobs (*.ringjob)")});
    dialog->setDefaultSuffix(QStringLiteral("ringjob"));
    dialog->selectFile(QString::fromStdString(job().displayName()) + QStringLiteral(".ringjob"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, then = std::move(then)](const QString& path) { saveTo(path, then); });
    dialog->open();
}

/// The answer may come when another job is in the form: that one isn't in this file.
void EditorPage::saveTo(const QString& path, std::function<void()> then)
{
    const JobSpec spec = job();
    inBackground(
        m_environmentProbe.pool(), this,
        [path, spec, folder = QDir::currentPath()] {
            return saveJobFile(path.toStdString(), spec, folder.toStdString());
        },
        [this, path, spec, loads = m_loads, then = std::move(then)](const Result<void>& saved) {
            if (!saved) {
                m_banner->show(Notice::Severity::Error, tr("The job was not saved."),
                               text(saved.error()), {});
                if (!isVisible())
                    Q_EMIT toastRequested(text(saved.error()), {});
                return;
            }
            if (loads == m_loads) {
                m_document.saved(path, spec, job());
                showPath();
                setTexts();
            }
            // Somebody may have gone on writing.
            if (then)
                return whenSaved(then);
            Q_EMIT toastRequested(tr("Saved as %1").arg(QFileInfo(path).fileName()), {});
        });
}

void EditorPage::focusFilter()
{
    m_form->focusField(QStringLiteral("program"));
}

QVariantMap EditorPage::saveState() const
{
    QVariantMap state = m_columns->saveState();
    state[QStringLiteral("open sections")] = m_form->openSections();
    if (const auto& last = m_form->place().lastMachine())
        state[QStringLiteral("machine")] = QString::fromStdString(*last);
    return state;
}

void EditorPage::restoreState(const QVariantMap& state)
{
    m_columns->restoreState(state);
    m_form->openSections(state.value(QStringLiteral("open sections")).toStringList());
    if (const auto last = state.constFind(QStringLiteral("machine")); last != state.constEnd())
        m_form->setLastMachine(last->toString().toStdString());
}

void EditorPage::setTexts()
{
    m_formCard->setTitle(tr("Job"));
    m_head->setFile(m_document.path(), m_document.isDirty());
}

} // namespace ringmaster::app
