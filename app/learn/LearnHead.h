#pragma once

#include "app/learn/LessonListModel.h"
#include "app/learn/LessonPlayer.h"
#include "app/learn/MotionMenu.h"

#include <QWidget>

class QAction;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace ringmaster::app {

/// The line above a lesson: which one, on how many ranks and with which backend it runs, and what
/// can be done with it.
class LearnHead : public QWidget
{
    Q_OBJECT

public:
    LearnHead(LessonListModel& lessons, LessonPlayer& player, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Its ranks and backends, to begin with.
    void setLesson(const lesson::Pack& pack);
    /// What the menu offers to edit.
    enum class Editing { Nothing, Copy, Itself };
    void setEditing(Editing editing);
    /// There is a lesson that is being written.
    void setWriting(bool isWriting);
    void setRow(int row);
    void choose(int ranks, const std::string& backend);
    int ranks() const;
    std::string backend() const;

    /// With the lessons to choose from, instead of a list elsewhere.
    void setNarrow(bool isNarrow);
    /// `state`: what the page shows processes of, or what it waits for.
    void refresh(const QString& state, bool isRunnable, bool isBusy);

    void openFaults();
    /// In two lines.
    QSize minimumSizeHint() const override;
    MotionMenu& motion() { return *m_motion; }

Q_SIGNALS:
    void lessonChosen(int row);
    void runWanted();
    void faultWanted(ringmaster::InjectFault::Kind kind, int rank);
    void lessonFileWanted();
    void recordedRunWanted();
    void repeatWanted();
    void pictureWanted();
    void answersWanted();
    void newLessonWanted();
    void editWanted();
    void editFileWanted();
    void writingWanted();
    void presentationWanted();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build(LessonListModel& lessons);
    void fitLesson();
    /// The lesson to choose in a line of its own where its name would be cut beside the rest.
    void arrange();
    int controlsWidth() const;
    void fillFaults();
    void fillMore();
    void setTexts();

    LessonPlayer& m_player;
    QLabel* m_title;
    QComboBox* m_pick;
    QLabel* m_chip;
    QHBoxLayout* m_row;
    QSpinBox* m_ranks;
    QComboBox* m_backend;
    QToolButton* m_faults;
    QToolButton* m_more;
    MotionMenu* m_motion;
    QAction* m_again = nullptr;
    QAction* m_edit = nullptr;
    QAction* m_writing = nullptr;
    Editing m_editing = Editing::Nothing;
    QPushButton* m_runButton;
    bool m_isLessonAbove = false;
};

} // namespace ringmaster::app
