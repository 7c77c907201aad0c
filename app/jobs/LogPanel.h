#pragma once

#include "app/model/LogModel.h"
#include "app/model/TimeSpan.h"
#include "app/widget/Card.h"

#include <QTimer>

class QLabel;
class QLineEdit;
class QStackedLayout;
class QToolButton;

namespace ringmaster::app {

class EmptyState;
class LogView;
class SpanBar;

/// The log of all ranks, or of one: filter, follow, copy, open the file. Goes to the span that is
/// selected and marks its lines.
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

Q_SIGNALS:
    void allRanksRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void buildHeader();
    void buildContent();
    void applyFilter();
    void followSpan();
    void goToSpan();
    void updateState();
    void setTexts();
    QString noteText() const;

    const RunModel& m_run;
    TimeSpan& m_span;
    LogModel m_log;
    LogView* m_view;
    SpanBar* m_spanBar;
    QLineEdit* m_filter;
    QLabel* m_note;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    QToolButton* m_followButton;
    QToolButton* m_allButton;
    QToolButton* m_copyButton;
    QToolButton* m_openButton;
    int m_rank = -1;
    QString m_filterError;
    QTimer m_filterDelay;
    QTimer m_spanDelay;
    bool m_followedBefore = true; ///< The span was selected.
};

} // namespace ringmaster::app
