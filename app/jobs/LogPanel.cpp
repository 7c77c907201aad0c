#include "app/jobs/LogPanel.h"

#include "app/bridge/MachineBridge.h"
#include "app/bridge/Words.h"
#include "app/jobs/LineDialog.h"
#include "app/jobs/LogActions.h"
#include "app/jobs/LogFinder.h"
#include "app/jobs/LogNote.h"
#include "app/jobs/LogView.h"
#include "app/jobs/SourcePlace.h"
#include "app/jobs/SpanBar.h"
#include "app/widget/EmptyState.h"
#include "app/widget/SaveDialog.h"
#include "app/widget/Translated.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QShortcut>
#include <QStackedLayout>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

LogPanel::LogPanel(EngineBridge& bridge, const RunModel& run, TimeSpan& span, QWidget* parent)
    : Card(parent)
    , m_run(run)
    , m_span(span)
    , m_log(bridge, run.run())
    , m_lines(bridge, run.run())
    , m_view(new LogView(this))
    , m_spanBar(new SpanBar(span, this))
    , m_finder(new LogFinder(bridge, run.run(), m_log, *m_view, this))
    , m_actions(new LogActions(this))
    , m_note(new LogNote(m_log, this))
    , m_empty(new EmptyState(this))
    , m_stack(new QStackedLayout)
    , m_followButton(new QToolButton(this))
    , m_allButton(new QToolButton(this))
    , m_copyButton(new QToolButton(this))
    , m_menuButton(new QToolButton(this))
{
    buildHeader();
    buildContent();
    connectView();
    connectActions();
    m_spanDelay.setSingleShot(true);
    m_spanDelay.setInterval(120ms);
    connect(&m_spanDelay, &QTimer::timeout, this, &LogPanel::goToSpan);
    connect(&m_span, &TimeSpan::changed, this, &LogPanel::followSpan);
    connect(&m_log, &LogModel::pageArrived, this, &LogPanel::updateState);
    connect(m_finder, &LogFinder::changed, this, &LogPanel::updateState);
    const auto showError = [this](const Error& error) { m_note->tell(error); };
    connect(&m_finder->matches(), &LogMatchModel::failed, this, showError);
    connect(&m_finder->matches(), &LogMatchModel::progressed, m_note, &LogNote::wasRead);
    connect(&m_finder->matches(), &LogMatchModel::linesRead, m_note, &LogNote::wasRead);
    connect(&m_lines, &LogLineFinder::failed, this, showError);
    const auto setLive = [this] {
        m_log.setLive(m_run.isRunning());
        m_finder->setLive(m_run.isRunning());
    };
    connect(&m_run, &RunModel::runChanged, this, setLive);
    setLive();
    translated(this, [this] { setTexts(); });
}

void LogPanel::buildHeader()
{
    for (QToolButton* button : {m_followButton, m_copyButton, m_menuButton}) {
        setLook(button, "flat");
        addHeaderWidget(button);
    }
    setLook(m_allButton, "flat");
    m_allButton->hide();
    m_followButton->setCheckable(true);
    m_followButton->setChecked(true);
    connect(m_allButton, &QToolButton::clicked, this, &LogPanel::allRanksRequested);
    connect(m_followButton, &QToolButton::toggled, &m_log, &LogModel::setFollowing);
    connect(&m_log, &LogModel::followingChanged, this, [this](bool following) {
        m_followButton->setChecked(following);
        m_view->setSticksToEnd(following);
    });
    auto* menu = new QMenu(m_menuButton);
    m_actions->addTo(*menu);
    m_menuButton->setMenu(menu);
    m_menuButton->setPopupMode(QToolButton::InstantPopup);
}

void LogPanel::buildContent()
{
    setLook(m_view, "framed");
    m_view->setModel(&m_log);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    m_finder->addBeside(m_allButton);
    content()->addWidget(m_spanBar);
    content()->addWidget(m_finder);
    content()->addWidget(m_note);
    content()->addLayout(m_stack, 1);
}

void LogPanel::connectView()
{
    connect(m_view, &LogView::leftEnd, this, [this] { m_log.setFollowing(false); });
    connect(m_view, &LogView::reachedBeginning, &m_log, &LogModel::loadEarlier);
    connect(m_view, &LogView::reachedEnd, this, [this] {
        if (m_finder->showsMatches() || m_log.isAtEnd())
            m_log.setFollowing(true);
        else
            m_log.loadLater();
    });
    connect(m_view, &LogView::firstLineRequested, this, [this] {
        if (!m_finder->showsMatches() && m_log.hasEarlier())
            m_log.showFromCursor(1);
    });
    connect(m_view, &LogView::lastLineRequested, this, [this] { m_log.setFollowing(true); });
    connect(m_view, &LogView::sourceChosen, this, &LogPanel::openSource);
    connect(m_view, &LogView::foldToggled, this, [this](int row) {
        m_log.setFollowing(false);
        m_log.toggleFold(row);
    });
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_view, &QWidget::customContextMenuRequested, this, &LogPanel::openMenu);
}

void LogPanel::connectActions()
{
    connect(m_actions->wrap, &QAction::toggled, m_view, &LogView::setWraps);
    connect(m_actions->times, &QAction::toggled, m_view, &LogView::setShowsTimes);
    connect(m_actions->folds, &QAction::toggled, &m_log, &LogModel::setFoldsTracebacks);
    connect(m_actions->copy, &QAction::triggered, this,
            [this] { QApplication::clipboard()->setText(m_view->selectedText()); });
    connect(m_actions->save, &QAction::triggered, this, &LogPanel::saveLines);
    connect(m_actions->openFolder, &QAction::triggered, this, &LogPanel::openFile);
    connect(m_actions->editor, &QAction::triggered, this, &LogPanel::askForEditor);
    connect(m_actions->goToLine, &QAction::triggered, this, &LogPanel::askForLine);
    connect(&m_lines, &LogLineFinder::found, m_finder, &LogFinder::showPlace);
    connect(&m_lines, &LogLineFinder::missed, this, [this](std::uint64_t lines) {
        m_note->tell(tr("This output has %Ln lines.", nullptr,
                        static_cast<int>(std::min<std::uint64_t>(lines, 2'000'000'000))));
    });
    connect(m_copyButton, &QToolButton::clicked, m_actions->copy, &QAction::trigger);
    auto* copy = new QShortcut(QKeySequence::Copy, m_view, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, m_actions->copy, &QAction::trigger);
}

void LogPanel::openMenu(const QPoint& position)
{
    // While it is open, lines come and go, and so can this page.
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QPersistentModelIndex line(m_view->indexAt(position));
    if (line.isValid() && m_finder->showsMatches())
        menu->addAction(tr("Show in the whole log"), this, [this, line] {
            if (line.isValid())
                m_finder->showInWholeLog(line.row());
        });
    for (const SourceMention& mention : sourceMentionsIn(line.data().toString()))
        menu->addAction(tr("Open %1 at line %2")
                            .arg(QFileInfo(mention.place.file).fileName())
                            .arg(mention.place.line),
                        this, [this, place = mention.place] { openSource(place); });
    if (!line.data(LogModel::FoldRole).toString().isEmpty())
        menu->addAction(line.data(LogModel::FoldRole).toString(), this, [this, line] {
            if (line.isValid())
                m_log.toggleFold(line.row());
        });
    if (!menu->isEmpty())
        menu->addSeparator();
    m_actions->addTo(*menu);
    menu->popup(m_view->viewport()->mapToGlobal(position));
}

void LogPanel::openSource(const SourcePlace& place)
{
    openInEditor(place, QString::fromStdString(m_run.snapshot().started.workingFolder));
}

void LogPanel::askForEditor()
{
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Editor"));
    dialog->setLabelText(tr("The command that opens a line of a source file, for example\n"
                            "code -g {file}:{line}\n"
                            "Without one, the desktop's program for such files does."));
    dialog->setTextValue(editorCommand());
    connect(dialog, &QInputDialog::textValueSelected, this, &setEditorCommand);
    dialog->open();
}

/// Of the worker whose line is the current one, else of the chosen one.
void LogPanel::askForLine()
{
    const QModelIndex current = m_view->currentIndex();
    LogLineFinder::Line line{.globalRank = std::max(0, m_rank),
                             .attempt = m_attempt >= 0 ? m_attempt : m_run.snapshot().attempt};
    if (current.isValid())
        line = {.globalRank = current.data(LogModel::RankRole).toInt(),
                .attempt = current.data(LogModel::AttemptRole).toInt(),
                .stream = static_cast<Stream>(current.data(LogModel::StreamRole).toInt()),
                .number = current.data(LogModel::NumberRole).toULongLong()};
    const int ranks = m_run.history().laneCount();
    auto* dialog = new LineDialog(line, ranks, this);
    connect(dialog, &LineDialog::chosen, &m_lines, &LogLineFinder::find);
    dialog->open();
}

/// All that was found, else what is selected or loaded.
void LogPanel::saveLines()
{
    if (!m_finder->showsMatches() || !m_view->selectionModel()->selectedRows().isEmpty()) {
        const QString text = m_view->selectedText() + QLatin1Char('\n');
        save([text] { return text.toUtf8(); });
        return;
    }
    m_finder->matches().readAll(this, [this](const std::vector<LogLine>& lines) {
        save([lines] {
            QByteArray text;
            for (const LogLine& line : lines)
                text += QStringLiteral("%1 [%2] ")
                            .arg(timeText(line.at))
                            .arg(line.globalRank)
                            .toUtf8() +
                        QByteArray::fromStdString(line.text) + '\n';
            return text;
        });
    });
}

void LogPanel::save(const std::function<QByteArray()>& content)
{
    const QString name =
        m_rank < 0 ? QStringLiteral("log.txt") : QStringLiteral("log-rank-%1.txt").arg(m_rank);
    saveByDialog(this, m_files, tr("Save the log"), name, content,
                 [this](const QString& said) { m_note->tell(said); });
}

/// Once a drawing isn't moved any more.
void LogPanel::followSpan()
{
    if (!m_span.showsAll() && !m_log.hasMark())
        m_followedBefore = m_log.isFollowing();
    if (!m_span.showsAll() || m_log.hasMark())
        m_spanDelay.start();
}

void LogPanel::goToSpan()
{
    if (m_span.showsAll()) {
        m_log.mark(std::nullopt);
        m_log.setFollowing(m_followedBefore);
        return updateState();
    }
    const TimeSpan::Range range = m_span.shown();
    m_log.mark(std::pair(range.from, range.to));
    m_log.showFrom(range.from);
}

void LogPanel::selectRank(int globalRank)
{
    if (std::exchange(m_rank, globalRank) == globalRank)
        return;
    m_allButton->setVisible(globalRank >= 0);
    m_finder->choose(m_rank, m_attempt);
}

void LogPanel::showAttempt(int attempt)
{
    m_attempt = attempt;
    m_finder->choose(m_rank, m_attempt);
}

void LogPanel::focusFilter()
{
    m_finder->focusFilter();
}

void LogPanel::toggleFollow()
{
    m_followButton->toggle();
}

void LogPanel::openFile()
{
    if (const QString machine = machineOf(m_run.run()); !machine.isEmpty())
        return m_note->tell(tr("The log files are on %1.").arg(machine));
    const RunSnapshot& run = m_run.snapshot();
    QString path = QString::fromStdString(run.started.runFolder);
    for (const WorkerSnapshot& worker : run.workers) {
        if (worker.assignment.globalRank == m_rank && !worker.assignment.logFolder.empty())
            path = QString::fromStdString(worker.assignment.logFolder);
    }
    QDesktopServices::openUrl(QUrl::fromLocalFile(path));
}

QVariantMap LogPanel::saveState() const
{
    return m_actions->saveState();
}

void LogPanel::restoreState(const QVariantMap& state)
{
    m_actions->restoreState(state);
}

/// The attempt that is shown.
bool LogPanel::goesOn() const
{
    return m_run.isRunning() && (m_attempt < 0 || m_attempt >= m_run.snapshot().attempt);
}

std::pair<QString, QString> LogPanel::noOutput() const
{
    if (goesOn())
        return {tr("No output yet"), tr("What the workers print appears here.")};
    if (isReadFromFiles(m_run.snapshot()))
        return {tr("No output"), tr("The files that it was read from have none.")};
    return {tr("No output"), tr("The workers printed nothing.")};
}

void LogPanel::updateState()
{
    QString who = m_rank >= 0 ? rankText(m_rank) : tr("all ranks");
    if (m_attempt >= 0)
        who = tr("%1, attempt %2").arg(who).arg(m_attempt + 1);
    setSubtitle(m_log.isFollowing() && goesOn() ? tr("%1 · follow").arg(who) : who);
    m_spanBar->setNote(m_log.firstMarkedRow() < 0 ? tr("no line of it is here")
                                                  : tr("its lines are marked"));
    m_note->setFilterError(m_finder->filterError());
    const bool isEmpty = m_view->model()->rowCount() == 0;
    m_stack->setCurrentIndex(isEmpty ? 1 : 0);
    if (!isEmpty)
        return;
    if (!m_finder->hasFilter())
        m_empty->setTexts(noOutput().first, noOutput().second);
    else if (m_finder->isSearching())
        m_empty->setTexts(tr("Searching the whole log"), m_finder->progressText());
    else
        m_empty->setTexts(tr("No line matches"), tr("Change the filter to see the log."));
}

void LogPanel::setTexts()
{
    setTitle(tr("Log"));
    m_allButton->setText(tr("All ranks"));
    m_allButton->setToolTip(tr("Show the log of all ranks again"));
    m_followButton->setText(tr("Follow"));
    m_followButton->setToolTip(tr("Stay at the end of the log (Space)"));
    m_copyButton->setText(tr("Copy"));
    m_copyButton->setToolTip(tr("Copy the selected lines, or all that are loaded"));
    m_menuButton->setText(tr("View"));
    m_menuButton->setToolTip(tr("How the lines are shown, and what can be done with them"));
    m_view->setAccessibleName(tr("Log lines"));
    updateState();
}

void LogPanel::showEvent(QShowEvent* event)
{
    Card::showEvent(event);
    m_log.setActive(true);
    m_finder->setActive(true);
}

void LogPanel::hideEvent(QHideEvent* event)
{
    Card::hideEvent(event);
    m_log.setActive(false);
    m_finder->setActive(false);
}

} // namespace ringmaster::app
