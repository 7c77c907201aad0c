#pragma once

#include "app/model/LogMatchModel.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QLineEdit;

namespace ringmaster::app {

class LogSearchBar;
class LogView;

/// Looks for lines in a run's whole log: the filter, what it finds, the way from match to match,
/// and to a line wherever it stands. Says what the view has: the log, or what was found in it.
class LogFinder : public QWidget
{
    Q_OBJECT

public:
    /// `log` and `view` outlive it.
    LogFinder(EngineBridge& bridge, const std::string& run, LogModel& log, LogView& view,
              QWidget* parent = nullptr);

    /// At the right of the filter.
    void addBeside(QWidget* widget);
    /// -1: all.
    void choose(int globalRank, int attempt);
    void setLive(bool live);
    void setActive(bool active);
    void focusFilter();
    void goTo(const LogPlace& place);
    /// Among the lines around it, whatever was looked for.
    void showPlace(const LogPlace& place);
    /// The same for a row of what was found.
    void showInWholeLog(int row) { showPlace(LogPlace(m_matches.placeAt(row))); }

    bool hasFilter() const;
    /// It hasn't looked through all of the log yet.
    bool isSearching() const { return m_matches.isStarted() && !m_matches.isAtEnd(); }
    bool showsMatches() const;
    QString progressText() const;
    const QString& filterError() const { return m_filterError; }
    LogMatchModel& matches() { return m_matches; }

Q_SIGNALS:
    /// What there is to see, or how far it has come.
    void changed();

private:
    void build();
    void applyFilter();
    void search(const LogFilter& filter);
    void showRows();
    void goToMatch(int step);
    void goToTarget();
    void setTexts();

    LogModel& m_log;
    LogView& m_view;
    LogMatchModel m_matches;
    QLineEdit* m_filter;
    LogSearchBar* m_searchBar;
    QString m_filterError;
    int m_rank = -1;
    int m_attempt = -1;
    int m_match = -1;                 ///< The row of the match that the reader is at.
    std::optional<LogPlace> m_target; ///< Where the log is being read to.
    QTimer m_delay;                   ///< Until what is typed is looked for.
};

} // namespace ringmaster::app
