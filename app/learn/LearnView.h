#pragma once

#include <QVariantMap>
#include <QWidget>

class QSplitter;

namespace ringmaster::app {

class Banner;
class LearnHead;
class LessonListModel;
class LessonPlayer;
class LessonsCard;
class MomentPanel;
class ProgramCard;
class QuestionPanel;

/// The parts of the Learn page, and where they are: three columns where there is room for them,
/// else two, with the lessons to choose from above.
class LearnView : public QWidget
{
    Q_OBJECT

public:
    /// The player's keys work in all of `page`.
    LearnView(LessonListModel& lessons, LessonPlayer& player, QWidget* page);

    LearnHead& head() { return *m_head; }
    Banner& banner() { return *m_banner; }
    LessonsCard& lessons() { return *m_lessons; }
    MomentPanel& moment() { return *m_moment; }
    QuestionPanel& questions() { return *m_questions; }
    ProgramCard& program() { return *m_program; }

    /// `state`: what the page shows processes of, or what it waits for.
    void refreshHead(const QString& state, bool isRunnable, bool isBusy);
    /// In large type, without the lessons.
    void setPresenting(bool isOn);
    bool isPresenting() const { return m_isPresenting; }
    /// Where the keys move the lesson and are typed into nothing: the picture, once it is there.
    void focusMoment();
    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

    /// With two columns, whichever are shown: a window that shrinks gets them.
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// There are more columns now, or fewer.
    void arranged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build(LessonPlayer& player, QWidget* page);
    void arrange(bool isNarrow);
    void shareColumns();

    LearnHead* m_head;
    Banner* m_banner;
    LessonsCard* m_lessons;
    MomentPanel* m_moment;
    QuestionPanel* m_questions;
    ProgramCard* m_program;
    QSplitter* m_columns;
    QSplitter* m_side; ///< The lesson; where the page is narrow, the program beneath it.
    bool m_isNarrow = false;
    bool m_isPresenting = false;
    QList<int> m_beforePresenting; ///< Sizes of the columns.
};

} // namespace ringmaster::app
