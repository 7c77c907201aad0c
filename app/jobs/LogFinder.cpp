#include "app/jobs/LogFinder.h"

#include "app/bridge/Messages.h"
#include "app/jobs/LogSearchBar.h"
#include "app/jobs/LogView.h"
#include "app/widget/Translated.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QShortcut>
#include <QStyle>
#include <QVBoxLayout>

#include <chrono>
#include <utility>

using namespace std::chrono_literals;

namespace ringmaster::app {

LogFinder::LogFinder(EngineBridge& bridge, const std::string& run, LogModel& log, LogView& view,
                     QWidget* parent)
    : QWidget(parent)
    , m_log(log)
    , m_view(view)
    , m_matches(bridge, run)
    , m_filter(new QLineEdit(this))
    , m_searchBar(new LogSearchBar(m_matches, this))
{
    build();
    m_delay.setSingleShot(true);
    m_delay.setInterval(120ms);
    connect(&m_delay, &QTimer::timeout, this, &LogFinder::applyFilter);
    connect(m_filter, &QLineEdit::textChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(m_filter, &QLineEdit::returnPressed, this, [this] { goToMatch(1); });
    connect(&m_log, &LogModel::placed, this, &LogFinder::goToTarget);
    connect(&m_matches, &LogMatchModel::progressed, this, [this] {
        // The lines that were here already stay until there is something better.
        if (m_matches.rowCount() > 0 || m_matches.isAtEnd())
            showRows();
        Q_EMIT changed();
    });
    connect(m_searchBar, &LogSearchBar::nextRequested, this, [this] { goToMatch(1); });
    connect(m_searchBar, &LogSearchBar::previousRequested, this, [this] { goToMatch(-1); });
    connect(m_searchBar, &LogSearchBar::linesAroundChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(m_searchBar, &LogSearchBar::hidesOthersChanged, this, &LogFinder::applyFilter);
    translated(this, [this] { setTexts(); });
}

void LogFinder::build()
{
    m_filter->setClearButtonEnabled(true);
    m_searchBar->hide();
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_filter, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(m_searchBar);
    const auto onKey = [this](const QKeySequence& key, int step) {
        // Of the card: the lines and the buttons are in it, too.
        auto* shortcut =
            new QShortcut(key, parentWidget(), nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, [this, step] { goToMatch(step); });
    };
    onKey(QKeySequence(Qt::Key_F3), 1);
    onKey(QKeySequence(Qt::SHIFT | Qt::Key_F3), -1);
}

void LogFinder::addBeside(QWidget* widget)
{
    static_cast<QBoxLayout*>(layout()->itemAt(0)->layout())->addWidget(widget);
}

void LogFinder::choose(int globalRank, int attempt)
{
    const std::pair before(m_rank, m_attempt);
    m_rank = globalRank;
    m_attempt = attempt;
    if (std::pair(m_rank, m_attempt) != before)
        applyFilter();
}

void LogFinder::setLive(bool live)
{
    m_matches.setLive(live);
}

void LogFinder::setActive(bool active)
{
    m_matches.setActive(active);
}

void LogFinder::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

bool LogFinder::hasFilter() const
{
    return !m_filter->text().isEmpty();
}

bool LogFinder::showsMatches() const
{
    return m_view.model() == &m_matches;
}

QString LogFinder::progressText() const
{
    return m_searchBar->text();
}

void LogFinder::applyFilter()
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
        m_log.setFilter(hidesOthers ? *filter : LogFilter(), m_rank, m_attempt);
        search(*filter);
    } else {
        m_filterError = text(filter.error());
    }
    Q_EMIT changed();
}

void LogFinder::search(const LogFilter& filter)
{
    m_match = -1;
    m_searchBar->setVisible(filter.isAboutLines());
    m_view.setMarked(filter);
    if (filter.isAboutLines())
        m_matches.start(filter, m_rank, m_searchBar->hidesOthers() ? m_searchBar->linesAround() : 0,
                        m_attempt);
    else
        m_matches.stop();
    m_searchBar->setCurrent(-1);
    if (!filter.isAboutLines() || !m_searchBar->hidesOthers())
        showRows();
}

/// Of the log, or of what was found in it.
void LogFinder::showRows()
{
    QAbstractItemModel* wanted = &m_log;
    if (m_matches.isStarted() && m_searchBar->hidesOthers())
        wanted = &m_matches;
    if (m_view.model() != wanted)
        m_view.setModel(wanted);
}

void LogFinder::goToMatch(int step)
{
    if (m_matches.rowCount() == 0)
        return;
    const int last = m_matches.rowCount() - 1;
    const int from = showsMatches() ? m_view.currentIndex().row() : m_match;
    int row = from < 0 && step < 0 ? -1 : m_matches.matchFrom(from + step, step);
    if (row < 0) // round the end
        row = m_matches.matchFrom(step > 0 ? 0 : last, step);
    m_match = row;
    m_searchBar->setCurrent(row);
    m_log.setFollowing(false);
    if (!showsMatches())
        return goTo(m_matches.placeAt(row));
    m_view.setCurrentIndex(m_matches.index(row));
    m_view.scrollTo(m_matches.index(row));
}

void LogFinder::goTo(const LogPlace& place)
{
    m_log.setFollowing(false);
    m_target = place;
    m_log.reveal(place);
    if (m_log.rowOf(place) < 0)
        m_log.showFromCursor(place.cursor);
    else
        goToTarget();
}

void LogFinder::goToTarget()
{
    if (m_target)
        m_log.reveal(*m_target);
    const int row = m_target ? m_log.rowOf(*m_target) : -1;
    m_target.reset();
    if (row < 0)
        return m_view.scrollToTop();
    m_view.setCurrentIndex(m_log.index(row));
    m_view.scrollTo(m_log.index(row));
}

void LogFinder::showPlace(const LogPlace& place)
{
    m_filter->clear();
    m_delay.stop();
    applyFilter();
    goTo(place);
}

void LogFinder::setTexts()
{
    m_filter->setPlaceholderText(tr("Filter: text, /regex/, rank:2, level:error"));
    m_filter->setToolTip(tr("Searches the whole log of the chosen ranks. F3 and Shift+F3 go from "
                            "match to match; the levels are info, warning and error."));
    m_filter->setAccessibleName(tr("Filter the log"));
}

} // namespace ringmaster::app
