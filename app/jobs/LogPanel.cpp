#include "app/jobs/LogPanel.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/jobs/LogSearchBar.h"
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
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QStackedLayout>
#include <QStyle>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

LogPanel::LogPanel(EngineBridge& bridge, const RunModel& run, TimeSpan& span, QWidget* parent)
    : Card(parent)
    , m_run(run)
    , m_span(span)
    , m_log(bridge, run.run())
    , m_matches(bridge, run.run())
    , m_view(new LogView(this))
    , m_spanBar(new SpanBar(span, this))
    , m_filter(new QLineEdit(this))
    , m_searchBar(new LogSearchBar(m_matches, this))
    , m_note(new QLabel(this))
    , m_empty(new EmptyState(this))
    , m_stack(new QStackedLayout)
    , m_followButton(new QToolButton(this))
    , m_allButton(new QToolButton(this))
    , m_copyButton(new QToolButton(this))
    , m_openButton(new QToolButton(this))
{
    buildHeader();
    buildContent();
    buildSearch();
    m_filterDelay.setSingleShot(true);
    m_filterDelay.setInterval(120ms);
    connect(&m_filterDelay, &QTimer::timeout, this, &LogPanel::applyFilter);
    connect(m_filter, &QLineEdit::textChanged, &m_filterDelay, qOverload<>(&QTimer::start));
    m_spanDelay.setSingleShot(true);
    m_spanDelay.setInterval(120ms);
    connect(&m_spanDelay, &QTimer::timeout, this, &LogPanel::goToSpan);
    connect(&m_span, &TimeSpan::changed, this, &LogPanel::followSpan);
    connect(&m_log, &LogModel::placed, this, &LogPanel::goToPlace);
    connect(&m_log, &LogModel::pageArrived, this, &LogPanel::updateState);
    const auto showError = [this](const Error& error) {
        m_note->setText(text(error));
        m_note->show();
    };
    connect(&m_log, &LogModel::readFailed, this, showError);
    connect(&m_matches, &LogMatchModel::failed, this, showError);
    const auto setLive = [this] {
        m_log.setLive(m_run.isRunning());
        m_matches.setLive(m_run.isRunning());
    };
    connect(&m_run, &RunModel::runChanged, this, setLive);
    setLive();
    translated(this, [this] { setTexts(); });
}

void LogPanel::buildHeader()
{
    for (QToolButton* button : {m_followButton, m_copyButton, m_openButton}) {
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
    connect(m_copyButton, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_view->selectedText()); });
    connect(m_openButton, &QToolButton::clicked, this, &LogPanel::openFile);
    auto* copy = new QShortcut(QKeySequence::Copy, m_view, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, m_copyButton, &QToolButton::click);
}

void LogPanel::buildContent()
{
    setLook(m_view, "framed");
    setLook(m_note, "muted");
    m_note->setWordWrap(true);
    m_note->hide();
    m_filter->setClearButtonEnabled(true);
    m_view->setModel(&m_log);
    connect(m_view, &LogView::leftEnd, this, [this] { m_log.setFollowing(false); });
    connect(m_view, &LogView::reachedBeginning, &m_log, &LogModel::loadEarlier);
    connect(m_view, &LogView::reachedEnd, this, [this] {
        if (showsMatches() || m_log.isAtEnd())
            m_log.setFollowing(true);
        else
            m_log.loadLater();
    });
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    content()->addWidget(m_spanBar);
    auto* filter = new QHBoxLayout;
    filter->setSpacing(8);
    filter->addWidget(m_filter, 1);
    filter->addWidget(m_allButton);
    content()->addLayout(filter);
    content()->addWidget(m_searchBar);
    content()->addWidget(m_note);
    content()->addLayout(m_stack, 1);
}

void LogPanel::buildSearch()
{
    m_searchBar->hide();
    connect(&m_matches, &LogMatchModel::progressed, this, [this] {
        // The lines that were here already stay until there is something better.
        if (m_matches.rowCount() > 0 || m_matches.isAtEnd())
            showRows();
        updateState();
    });
    connect(m_searchBar, &LogSearchBar::nextRequested, this, [this] { goToMatch(1); });
    connect(m_searchBar, &LogSearchBar::previousRequested, this, [this] { goToMatch(-1); });
    connect(m_searchBar, &LogSearchBar::linesAroundChanged, &m_filterDelay,
            qOverload<>(&QTimer::start));
    connect(m_searchBar, &LogSearchBar::hidesOthersChanged, this, &LogPanel::applyFilter);
    const auto onKeys = [this](const QList<QKeySequence>& keys, int step) {
        for (const QKeySequence& key : keys) {
            auto* shortcut =
                new QShortcut(key, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
            connect(shortcut, &QShortcut::activated, this, [this, step] { goToMatch(step); });
        }
    };
    onKeys({QKeySequence(Qt::Key_F3)}, 1);
    onKeys({QKeySequence(Qt::SHIFT | Qt::Key_F3)}, -1);
    connect(m_filter, &QLineEdit::returnPressed, this, [this] { goToMatch(1); });
    connect(m_view, &LogView::firstLineRequested, this, &LogPanel::showFirstLine);
    connect(m_view, &LogView::lastLineRequested, this, &LogPanel::showLastLine);
    connect(m_view, &LogView::doubleClicked, this, &LogPanel::openSource);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_view, &QWidget::customContextMenuRequested, this, &LogPanel::openMenu);
}

void LogPanel::search(const LogFilter& filter)
{
    m_wanted = filter;
    m_match = -1;
    m_searchBar->setVisible(filter.isAboutLines());
    if (filter.isAboutLines())
        m_matches.start(filter, m_rank,
                        m_searchBar->hidesOthers() ? m_searchBar->linesAround() : 0);
    else
        m_matches.stop();
    m_searchBar->setCurrent(-1);
    if (!filter.isAboutLines() || !m_searchBar->hidesOthers())
        showRows();
}

bool LogPanel::showsMatches() const
{
    return m_view->model() == &m_matches;
}

/// Of the log, or of what was found in it.
void LogPanel::showRows()
{
    QAbstractItemModel* wanted = &m_log;
    if (m_matches.isStarted() && m_searchBar->hidesOthers())
        wanted = &m_matches;
    if (m_view->model() != wanted)
        m_view->setModel(wanted);
}

void LogPanel::goToMatch(int step)
{
    if (m_matches.rowCount() == 0)
        return;
    const int last = m_matches.rowCount() - 1;
    const int from = showsMatches() ? m_view->currentIndex().row() : m_match;
    int row = from < 0 && step < 0 ? -1 : m_matches.matchFrom(from + step, step);
    if (row < 0) // round the end
        row = m_matches.matchFrom(step > 0 ? 0 : last, step);
    m_match = row;
    m_searchBar->setCurrent(row);
    m_log.setFollowing(false);
    if (!showsMatches())
        return goTo(m_matches.placeAt(row));
    m_view->setCurrentIndex(m_matches.index(row));
    m_view->scrollTo(m_matches.index(row));
}

void LogPanel::goTo(const LogPlace& place)
{
    m_target = place;
    if (m_log.rowOf(place) < 0)
        m_log.showFromCursor(place.cursor);
    else
        goToPlace();
}

void LogPanel::goToPlace()
{
    const int row = m_target ? m_log.rowOf(*m_target) : -1;
    m_target.reset();
    if (row < 0)
        return m_view->scrollToTop();
    m_view->setCurrentIndex(m_log.index(row));
    m_view->scrollTo(m_log.index(row));
}

void LogPanel::showFirstLine()
{
    if (!showsMatches() && m_log.hasEarlier())
        m_log.showFromCursor(1);
}

void LogPanel::showLastLine()
{
    m_log.setFollowing(true);
}

void LogPanel::openMenu(const QPoint& position)
{
    QMenu menu(this);
    const QModelIndex line = m_view->indexAt(position);
    menu.addAction(tr("Copy"), m_copyButton, &QToolButton::click);
    menu.addAction(tr("Save as…"), this, &LogPanel::saveLines);
    menu.addSeparator();
    if (line.isValid() && showsMatches()) {
        menu.addAction(tr("Show in the whole log"), this,
                       [this, place = m_matches.placeAt(line.row())] {
                           m_filter->clear();
                           m_filterDelay.stop();
                           applyFilter();
                           m_log.setFollowing(false);
                           goTo(place);
                       });
    }
    if (line.isValid())
        addSourceAction(menu, line);
    menu.addAction(tr("Open folder"), this, &LogPanel::openFile);
    menu.addAction(tr("Editor…"), this, &LogPanel::askForEditor);
    menu.addSeparator();
    QAction* times = menu.addAction(tr("Times"), m_view, &LogView::setShowsTimes);
    times->setCheckable(true);
    times->setChecked(m_view->showsTimes());
    menu.exec(m_view->viewport()->mapToGlobal(position));
}

void LogPanel::addSourceAction(QMenu& menu, const QModelIndex& line)
{
    const auto place = sourcePlaceIn(line.data().toString());
    if (place)
        menu.addAction(
            tr("Open %1 at line %2").arg(QFileInfo(place->file).fileName()).arg(place->line), this,
            [this, line = QPersistentModelIndex(line)] { openSource(line); });
}

void LogPanel::openSource(const QModelIndex& line)
{
    if (const auto place = sourcePlaceIn(line.data().toString()))
        openInEditor(*place, QString::fromStdString(m_run.snapshot().started.workingFolder));
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

/// All that was found, else what is selected or loaded.
void LogPanel::saveLines()
{
    if (!showsMatches() || !m_view->selectionModel()->selectedRows().isEmpty()) {
        const QString text = m_view->selectedText() + QLatin1Char('\n');
        save([text] { return text.toUtf8(); });
        return;
    }
    m_matches.readAll(this, [this](const std::vector<LogLine>& lines) {
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
    saveByDialog(this, m_files, tr("Save the log"), name, content, [this](const QString& said) {
        m_note->setText(said);
        m_note->show();
    });
}

void LogPanel::applyFilter()
{
    m_filterError.clear();
    const Result<LogFilter> filter = LogFilter::parse(m_filter->text().toStdString());
    const char* validity = m_filter->text().isEmpty() ? "" : filter ? "valid" : "invalid";
    m_filter->setProperty("validity", QString::fromLatin1(validity));
    m_filter->style()->unpolish(m_filter);
    m_filter->style()->polish(m_filter);
    if (filter) {
        // Those that are here already at once, all when they are found.
        const bool hidesOthers = m_searchBar->hidesOthers() || !filter->isAboutLines();
        m_log.setFilter(hidesOthers ? *filter : LogFilter(), m_rank);
        search(*filter);
    } else {
        m_filterError = text(filter.error());
    }
    updateState();
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
    applyFilter();
}

void LogPanel::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void LogPanel::toggleFollow()
{
    m_followButton->toggle();
}

void LogPanel::openFile()
{
    const RunSnapshot& run = m_run.snapshot();
    QString path = QString::fromStdString(run.started.runFolder);
    for (const WorkerSnapshot& worker : run.workers) {
        if (worker.assignment.globalRank == m_rank && !worker.assignment.logFolder.empty())
            path = QString::fromStdString(worker.assignment.logFolder);
    }
    QDesktopServices::openUrl(QUrl::fromLocalFile(path));
}

QString LogPanel::noteText() const
{
    if (!m_filterError.isEmpty())
        return m_filterError;
    if (m_log.lostBytes() > 0)
        return tr("%1 of output could not be kept: the disk was full.")
            .arg(bytesText(static_cast<std::int64_t>(m_log.lostBytes())));
    if (m_log.hasSkipped())
        return tr("Output comes faster than it can be shown: some lines were skipped here. "
                  "Scroll up to read them; the files have all.");
    return {};
}

void LogPanel::updateState()
{
    const QString who = m_rank >= 0 ? rankText(m_rank) : tr("all ranks");
    setSubtitle(m_log.isFollowing() && m_run.isRunning() ? tr("%1 · follow").arg(who) : who);
    m_spanBar->setNote(m_log.firstMarkedRow() < 0 ? tr("no line of it is here")
                                                  : tr("its lines are marked"));
    m_note->setText(noteText());
    m_note->setVisible(!m_note->text().isEmpty());
    const bool isEmpty = m_view->model()->rowCount() == 0;
    m_stack->setCurrentIndex(isEmpty ? 1 : 0);
    if (!isEmpty)
        return;
    if (m_filter->text().isEmpty())
        m_empty->setTexts(tr("No output yet"), tr("What the workers print appears here."));
    else if (m_matches.isStarted() && !m_matches.isAtEnd())
        m_empty->setTexts(tr("Searching the whole log"), m_searchBar->text());
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
    m_openButton->setText(tr("Open folder"));
    m_openButton->setToolTip(tr("Open the folder of the log files"));
    m_filter->setPlaceholderText(tr("Filter: text, /regex/, rank:2, level:error"));
    m_filter->setToolTip(tr("Searches the whole log of the chosen ranks. F3 and Shift+F3 go from "
                            "match to match; the levels are info, warning and error."));
    m_filter->setAccessibleName(tr("Filter the log"));
    m_view->setAccessibleName(tr("Log lines"));
    updateState();
}

void LogPanel::showEvent(QShowEvent* event)
{
    Card::showEvent(event);
    m_log.setActive(true);
    m_matches.setActive(true);
}

void LogPanel::hideEvent(QHideEvent* event)
{
    Card::hideEvent(event);
    m_log.setActive(false);
    m_matches.setActive(false);
}

} // namespace ringmaster::app
