#pragma once

#include "app/learn/LearnNotices.h"
#include "app/learn/LearnProgress.h"
#include "app/learn/LessonFiles.h"
#include "app/learn/LessonListModel.h"
#include "app/learn/LessonPlayer.h"
#include "app/learn/LessonTrust.h"
#include "app/learn/LessonWriting.h"
#include "app/learn/ShownLesson.h"
#include "app/learn/ShownRun.h"
#include "app/widget/Page.h"

#include <QThreadPool>

namespace ringmaster::app {

class LearnView;

/// Lessons, their programs, and the real processes that run them, step by step. A recorded run
/// opens here, too, and then nothing runs.
class LearnPage : public Page
{
    Q_OBJECT

public:
    static PageDescription description();
    explicit LearnPage(EngineBridge& bridge, QWidget* parent = nullptr);
    ~LearnPage() override;

    void togglePlay() override;
    bool canPlay() const override { return true; }
    void openRun(const std::string& run) override;
    bool isUnsaved() const override;
    void whenSaved(std::function<void()> then) override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap& state) override;

    LessonPlayer& player() { return m_player; }
    const LessonListModel& lessons() const { return m_lessons; }
    LessonWriting& writing() { return m_writing; }
    /// By its name, once the lessons have been read.
    void chooseLesson(const std::string& name);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void connectControls();
    void connectWriting();
    void addKeys();
    void readLessons();
    void addLesson(const Lesson& lesson);
    void showLesson(int row);
    void run();
    void runAgainInOrder();
    void start(std::vector<int> order = {});
    void runChanged();
    void runOver();
    void takeRecordedLesson();
    void faultJudged(const QString& headline, const QString& told, std::optional<size_t> wrongAt);
    void showError(const Error& error);
    void refresh();
    void refreshHead();
    void setPresenting(bool isOn);
    void showWriting(bool isShown);
    void setTexts();

    EngineBridge& m_bridge;
    LessonListModel m_lessons;
    LearnProgress m_progress{m_lessons};
    LessonPlayer m_player;
    ShownRun m_run{m_bridge, m_player, this};
    LessonTrust m_trust{this};
    std::string m_wantedLesson;
    bool m_areLessonsRead = false;
    bool m_isRecordedLesson = false; ///< The program is the recording's.

    LearnView* m_view;
    ShownLesson m_lesson;
    LearnNotices m_notices;
    LessonFiles m_lessonFiles;
    LessonWriting m_writing;
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app
