#pragma once

#include "app/model/LogModel.h"
#include "app/model/RunModel.h"
#include "app/widget/Card.h"

#include <QTimer>

class QLabel;
class QLineEdit;
class QStackedLayout;
class QToolButton;

namespace ringmaster::app {

class EmptyState;
class LogView;

/// The log of all ranks, or of one: filter, follow, copy, open the file.
class LogPanel : public Card
{
    Q_OBJECT

public:
    LogPanel(EngineBridge& bridge, const RunModel& run, QWidget* parent = nullptr);

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
    void updateState();
    void setTexts();
    QString noteText() const;

    const RunModel& m_run;
    LogModel m_log;
    LogView* m_view;
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
};

} // namespace ringmaster::app
