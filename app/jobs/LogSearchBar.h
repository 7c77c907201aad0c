#pragma once

#include <QWidget>

class QLabel;
class QSpinBox;
class QToolButton;

namespace ringmaster::app {

class LogMatchModel;

/// Below the log's filter while it searches: how many lines match, to the next and the one before,
/// how many lines around each, and whether the others are hidden.
class LogSearchBar : public QWidget
{
    Q_OBJECT

public:
    explicit LogSearchBar(const LogMatchModel& matches, QWidget* parent = nullptr);

    int linesAround() const;
    bool hidesOthers() const;
    /// The row that the reader is at; -1: none.
    void setCurrent(int row);
    QString text() const;

Q_SIGNALS:
    void nextRequested();
    void previousRequested();
    void linesAroundChanged();
    void hidesOthersChanged();

private:
    void refresh();
    void setTexts();

    const LogMatchModel& m_matches;
    QLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
    QSpinBox* m_around;
    QToolButton* m_others;
    int m_current = -1;
};

} // namespace ringmaster::app
