#pragma once

#include "app/model/LogMatchModel.h"
#include "app/model/TimeSpan.h"
#include "app/widget/Card.h"

#include <QThreadPool>
#include <QTimer>

class QLabel;
class QLineEdit;
class QMenu;
class QStackedLayout;
class QToolButton;

namespace ringmaster::app {

class EmptyState;
class LogSearchBar;
class LogView;
class SpanBar;

/// The log of all ranks, or of one: searched as a whole, filtered, followed, copied, saved. Goes to
/// the span that is selected and marks its lines.
class LogPanel : public Card
{
    Q_OBJECT

public:
    LogPanel(EngineBridge& bridge, const RunModel& run, TimeSpan& span, QWidget* parent = nullptr);

    /// -1: all.
    void selectRank(int globalRank);
    void focusFilter();
    void toggleFollow();
    void openFile();
    LogModel& log() { return m_log; }
    const LogMatchModel& matches() const { return m_matches; }

Q_SIGNALS:
    void allRanksRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void buildHeader();
    void buildContent();
    void buildSearch();
    void applyFilter();
    void search(const LogFilter& filter);
    void showRows();
    void goToMatch(int step);
    void goTo(const LogPlace& place);
    void goToPlace();
    void showFirstLine();
    void showLastLine();
    void openMenu(const QPoint& position);
    void addSourceAction(QMenu& menu, const QModelIndex& line);
    void openSource(const QModelIndex& line);
    void askForEditor();
    void saveLines();
    void save(const std::function<QByteArray()>& content);
    bool showsMatches() const;
    void followSpan();
    void goToSpan();
    void updateState();
    void setTexts();
    QString noteText() const;

    const RunModel& m_run;
    TimeSpan& m_span;
    LogModel m_log;
    LogMatchModel m_matches;
    LogView* m_view;
    SpanBar* m_spanBar;
    QLineEdit* m_filter;
    LogSearchBar* m_searchBar;
    QLabel* m_note;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    QToolButton* m_followButton;
    QToolButton* m_allButton;
    QToolButton* m_copyButton;
    QToolButton* m_openButton;
    int m_rank = -1;
    QString m_filterError;
    LogFilter m_wanted;               ///< By which is searched, while it is.
    int m_match = -1;                 ///< The row of the match that the reader is at.
    std::optional<LogPlace> m_target; ///< Where the log is being read to.
    QTimer m_filterDelay;
    QTimer m_spanDelay;
    bool m_followedBefore = true; ///< The span was selected.
    QThreadPool m_files;          ///< Last: ended first.
};

} // namespace ringmaster::app
