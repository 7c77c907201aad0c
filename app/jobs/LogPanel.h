#pragma once

#include "app/model/LogLineFinder.h"
#include "app/model/LogModel.h"
#include "app/model/TimeSpan.h"
#include "app/widget/Card.h"

#include <QThreadPool>
#include <QTimer>
#include <QVariantMap>

#include <utility>

class QMenu;
class QStackedLayout;
class QToolButton;

namespace ringmaster::app {

class EmptyState;
class LogActions;
class LogFinder;
class LogNote;
class LogView;
class SpanBar;
struct SourcePlace;

/// The log of all ranks, or of one: looked through (LogFinder), followed, copied, saved. Goes to
/// the span that is selected and marks its lines.
class LogPanel : public Card
{
    Q_OBJECT

public:
    LogPanel(EngineBridge& bridge, const RunModel& run, TimeSpan& span, QWidget* parent = nullptr);

    /// -1: all.
    void selectRank(int globalRank);
    void showAttempt(int attempt);
    void focusFilter();
    void toggleFollow();
    void openFile();
    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

Q_SIGNALS:
    void allRanksRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void buildHeader();
    void buildContent();
    void connectView();
    void connectActions();
    void openMenu(const QPoint& position);
    void openSource(const SourcePlace& place);
    void askForEditor();
    void askForLine();
    void saveLines();
    void save(const std::function<QByteArray()>& content);
    void followSpan();
    void goToSpan();
    void updateState();
    void setTexts();
    bool goesOn() const;
    std::pair<QString, QString> noOutput() const; ///< Headline and sentence.

    const RunModel& m_run;
    TimeSpan& m_span;
    LogModel m_log;
    LogLineFinder m_lines;
    LogView* m_view;
    SpanBar* m_spanBar;
    LogFinder* m_finder;
    LogActions* m_actions;
    LogNote* m_note;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    QToolButton* m_followButton;
    QToolButton* m_allButton;
    QToolButton* m_copyButton;
    QToolButton* m_menuButton;
    int m_rank = -1;
    int m_attempt = -1;
    QTimer m_spanDelay;
    bool m_followedBefore = true; ///< The span was selected.
    QThreadPool m_files;          ///< Last: ended first.
};

} // namespace ringmaster::app
