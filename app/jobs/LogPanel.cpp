#include "app/jobs/LogPanel.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/jobs/LogView.h"
#include "app/jobs/SpanBar.h"
#include "app/widget/EmptyState.h"
#include "app/widget/Translated.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
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
    , m_view(new LogView(this))
    , m_spanBar(new SpanBar(span, this))
    , m_filter(new QLineEdit(this))
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
    m_filterDelay.setSingleShot(true);
    m_filterDelay.setInterval(120ms);
    connect(&m_filterDelay, &QTimer::timeout, this, &LogPanel::applyFilter);
    connect(m_filter, &QLineEdit::textChanged, &m_filterDelay, qOverload<>(&QTimer::start));
    m_spanDelay.setSingleShot(true);
    m_spanDelay.setInterval(120ms);
    connect(&m_spanDelay, &QTimer::timeout, this, &LogPanel::goToSpan);
    connect(&m_span, &TimeSpan::changed, this, &LogPanel::followSpan);
    connect(&m_log, &LogModel::placed, m_view, &LogView::scrollToTop);
    connect(&m_log, &LogModel::pageArrived, this, &LogPanel::updateState);
    connect(&m_log, &LogModel::readFailed, this, [this](const Error& error) {
        m_note->setText(text(error));
        m_note->show();
    });
    connect(&m_run, &RunModel::runChanged, this, [this] { m_log.setLive(m_run.isRunning()); });
    m_log.setLive(m_run.isRunning());
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
        if (m_log.isAtEnd())
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
    content()->addWidget(m_note);
    content()->addLayout(m_stack, 1);
}

void LogPanel::applyFilter()
{
    m_filterError.clear();
    const Result<LogFilter> filter = LogFilter::parse(m_filter->text().toStdString());
    const char* validity = m_filter->text().isEmpty() ? "" : filter ? "valid" : "invalid";
    m_filter->setProperty("validity", QString::fromLatin1(validity));
    m_filter->style()->unpolish(m_filter);
    m_filter->style()->polish(m_filter);
    if (filter)
        m_log.setFilter(*filter, m_rank);
    else
        m_filterError = text(filter.error());
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
    const bool isEmpty = m_log.rowCount() == 0;
    m_stack->setCurrentIndex(isEmpty ? 1 : 0);
    if (!isEmpty)
        return;
    if (m_filter->text().isEmpty())
        m_empty->setTexts(tr("No output yet"), tr("What the workers print appears here."));
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
    m_filter->setAccessibleName(tr("Filter the log"));
    m_view->setAccessibleName(tr("Log lines"));
    updateState();
}

void LogPanel::showEvent(QShowEvent* event)
{
    Card::showEvent(event);
    m_log.setActive(true);
}

void LogPanel::hideEvent(QHideEvent* event)
{
    Card::hideEvent(event);
    m_log.setActive(false);
}

} // namespace ringmaster::app
