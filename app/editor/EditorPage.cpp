#include "app/editor/EditorPage.h"

#include "app/bridge/Background.h"
#include "app/bridge/Messages.h"
#include "app/editor/ChecksPanel.h"
#include "app/editor/CommandPanel.h"
#include "app/editor/EnvironmentPanel.h"
#include "app/editor/JobForm.h"
#include "app/editor/PasteDialog.h"
#include "app/widget/Banner.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"
#include "engine/job/JobFile.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace ringmaster::app {

namespace {

/// A first job: this machine, and nothing to choose but the program.
JobSpec freshJob()
{
    JobSpec spec;
    spec.rendezvous.standalone = true;
    spec.rendezvous.method = RendezvousMethod::C10d;
    spec.roles.front().workers = {WorkerCount::Kind::Auto, 1};
    return spec;
}

} // namespace

EditorPage::EditorPage(EngineBridge& bridge, QWidget* parent)
    : JobEditing(parent)
    , m_bridge(bridge)
    , m_title(new QLabel(this))
    , m_fileName(new QLabel(this))
    , m_openButton(new QPushButton(this))
    , m_pasteButton(new QPushButton(this))
    , m_saveButton(new QPushButton(this))
    , m_launchButton(new QPushButton(this))
    , m_hint(new QLabel(this))
    , m_revertButton(new QPushButton(this))
    , m_banner(new Banner(this))
    , m_columns(new QSplitter(this))
    , m_panels(new QSplitter(Qt::Vertical, this))
    , m_formCard(new Card)
    , m_form(new JobForm)
    , m_command(new CommandPanel)
    , m_environment(new EnvironmentPanel)
    , m_checks(new ChecksPanel)
{
    build();
    connect(m_form, &JobForm::edited, this, &EditorPage::jobEdited);
    connect(m_form, &JobForm::workingFolderChanged, &m_scout, &MachineScout::lookAround);
    connect(m_checks, &ChecksPanel::fieldChosen, m_form, &JobForm::focusField);
    connect(&m_scout, &MachineScout::checked, this, &EditorPage::showFindings);
    connect(&m_scout, &MachineScout::factsChanged, this, [this] {
        m_form->setFacts(m_scout.facts());
        m_environment->setJob(job(), m_scout.facts().counts);
    });
    connect(m_form, &JobForm::preflightRequested, this, &EditorPage::runPreflight);
    connect(&m_bridge, &EngineBridge::hostsChanged, this, &EditorPage::listHosts);
    connect(m_openButton, &QPushButton::clicked, this, &Page::openRequested);
    connect(m_pasteButton, &QPushButton::clicked, this, &EditorPage::pasteCommand);
    connect(m_saveButton, &QPushButton::clicked, this, &EditorPage::save);
    connect(m_launchButton, &QPushButton::clicked, this, &EditorPage::launch);
    connect(m_revertButton, &QPushButton::clicked, this, &EditorPage::revert);
    translated(this, [this] { setTexts(); });
    load(freshJob(), {});
}

void EditorPage::build()
{
    m_formCard->addHeaderWidget(m_form->roleBar());
    m_formCard->content()->addWidget(m_form);
    for (QWidget* panel : {static_cast<QWidget*>(m_command), static_cast<QWidget*>(m_environment),
                           static_cast<QWidget*>(m_checks)})
        m_panels->addWidget(panel);
    m_panels->setSizes({160, 380, 200});
    m_columns->addWidget(m_formCard);
    m_columns->addWidget(m_panels);
    m_columns->setSizes({600, 520});
    for (QSplitter* splitter : {m_columns, m_panels}) {
        splitter->setHandleWidth(12);
        splitter->setChildrenCollapsible(false);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    layout->addLayout(buildHead());
    layout->addWidget(m_banner);
    layout->addWidget(m_columns, 1);
    m_banner->hide();
}

QLayout* EditorPage::buildHead()
{
    setLook(m_title, "title");
    setLook(m_fileName, "muted");
    setLook(m_hint, "muted");
    setLook(m_revertButton, "flat");
    setLook(m_launchButton, "primary");
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(m_title);
    head->addWidget(m_fileName);
    head->addStretch(1);
    head->addWidget(m_hint);
    head->addWidget(m_revertButton);
    for (QPushButton* button : {m_openButton, m_pasteButton, m_saveButton, m_launchButton})
        head->addWidget(button);
    return head;
}

QString EditorPage::title() const
{
    return tr("New job");
}

const JobSpec& EditorPage::job() const
{
    return m_form->job();
}

void EditorPage::newJob()
{
    replace(freshJob(), {});
    m_form->focusField(QStringLiteral("program"));
}

void EditorPage::openFile(const QString& path)
{
    inBackground(
        m_scout.pool(), this, [path] { return loadJobFile(path.toStdString()); },
        [this, path](const JobFileResult& file) {
            if (file)
                return replace(file->spec, path);
            showProblems(tr("%1 can't be opened.").arg(QFileInfo(path).fileName()), file.error());
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
    m_launched = job();
}

void EditorPage::replace(const JobSpec& spec, const QString& path)
{
    if (m_isDirty && job() != spec) {
        Q_EMIT toastRequested(tr("Another job is in the form now"),
                              [this, before = job(), beforePath = m_path] {
                                  load(before, beforePath);
                                  m_isDirty = true;
                                  setTexts();
                              });
    }
    load(spec, path);
}

void EditorPage::load(const JobSpec& spec, const QString& path)
{
    m_launches = false;
    m_banner->clear();
    m_form->load(spec);
    m_path = path;
    m_launched.reset();
    jobEdited();
    m_isDirty = false;
    setTexts();
    m_scout.lookAround(QString::fromStdString(spec.roles.front().workingFolder));
}

void EditorPage::showEvent(QShowEvent* event)
{
    JobEditing::showEvent(event);
    listHosts();
}

/// A book that can't be read is the Hosts page's to tell of; names can be typed all the same.
void EditorPage::listHosts()
{
    m_bridge.listHosts(this, [this](const Result<std::vector<Host>>& hosts) {
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
    HostDesk::Wish wish{.hosts = job().hosts, .folder = folder.toStdString()};
    if (role.kind == ProgramKind::Script)
        wish.program = role.program;
    m_askedHosts = wish.hosts;
    m_checks->setAsking();
    m_bridge.preflight(
        wish, this,
        [this, asked = wish.hosts](const Result<std::vector<PreflightFinding>>& findings) {
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
    m_isDirty = true;
    m_launches = false;
    m_command->setJob(job());
    m_environment->setJob(job(), m_scout.facts().counts);
    m_scout.check(job());
    m_checks->setChecking();
    setTexts();
    updateHint();
    Q_EMIT historyChanged();
}

void EditorPage::updateHint()
{
    const bool differs = m_launched && *m_launched != job();
    m_hint->setVisible(differs);
    m_revertButton->setVisible(differs);
}

void EditorPage::revert()
{
    m_form->change(JobSpec(*m_launched));
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
    m_launchButton->setEnabled(false);
    m_scout.checkNow(job());
}

void EditorPage::showFindings(const std::vector<Finding>& findings)
{
    m_checks->setFindings(findings);
    m_launchButton->setEnabled(true);
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
    m_launched = job();
    m_isDirty = m_isDirty && !m_path.isEmpty();
    updateHint();
    const std::string& folder = job().roles.front().workingFolder;
    Q_EMIT launchRequested(job(),
                           folder.empty() ? QDir::currentPath() : QString::fromStdString(folder));
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

void EditorPage::save()
{
    if (!m_path.isEmpty())
        return saveTo(m_path);
    const QString name = QString::fromStdString(job().displayName()) + QStringLiteral(".ringjob");
    QString path =
        QFileDialog::getSaveFileName(this, tr("Save the job"), name, tr("Jobs (*.ringjob)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".ringjob");
    saveTo(path);
}

void EditorPage::saveTo(const QString& path)
{
    inBackground(
        m_scout.pool(), this,
        [path, spec = job(), folder = QDir::currentPath()] {
            return saveJobFile(path.toStdString(), spec, folder.toStdString());
        },
        [this, path](const Result<void>& saved) {
            if (!saved)
                return m_banner->show(Notice::Severity::Error, tr("The job was not saved."),
                                      text(saved.error()), {});
            m_path = path;
            m_isDirty = false;
            setTexts();
            Q_EMIT toastRequested(tr("Saved as %1").arg(QFileInfo(path).fileName()), {});
        });
}

void EditorPage::focusFilter()
{
    m_form->focusField(QStringLiteral("program"));
}

QVariantMap EditorPage::saveState() const
{
    return {{QStringLiteral("columns"), m_columns->saveState()},
            {QStringLiteral("panels"), m_panels->saveState()}};
}

void EditorPage::restoreState(const QVariantMap& state)
{
    m_columns->restoreState(state.value(QStringLiteral("columns")).toByteArray());
    m_panels->restoreState(state.value(QStringLiteral("panels")).toByteArray());
}

void EditorPage::setTexts()
{
    m_title->setText(title());
    const QString name = QFileInfo(m_path).fileName();
    m_fileName->setText(m_path.isEmpty() ? QString()
                        : m_isDirty      ? tr("%1 (not saved)").arg(name)
                                         : name);
    m_fileName->setVisible(!m_path.isEmpty());
    m_formCard->setTitle(tr("Job"));
    m_openButton->setText(tr("Open…"));
    m_pasteButton->setText(tr("Paste torchrun command"));
    m_saveButton->setText(tr("Save"));
    m_launchButton->setText(tr("Launch"));
    m_hint->setText(tr("Changes apply at the next launch"));
    m_revertButton->setText(tr("Revert"));
    m_revertButton->setToolTip(tr("Back to the job as it was launched"));
}

} // namespace ringmaster::app
