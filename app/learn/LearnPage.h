#pragma once

#include "app/learn/FaultPredictor.h"
#include "app/learn/LearnProgress.h"
#include "app/learn/LessonFiles.h"
#include "app/learn/LessonListModel.h"
#include "app/learn/LessonPlayer.h"
#include "app/learn/LessonTrust.h"
#include "app/learn/LessonWriting.h"
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

    QString title() const override;
    void togglePlay() override;
    bool canPlay() const override { return true; }
    bool shows(const std::string& run) const override;
    void openRun(const std::string& run) override;
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
    void showText();
    void resetProgram();
    void showRecordedJob(const lesson::RecordedJob& job);
    void run();
    void runAgainInOrder();
    void start(std::vector<int> order = {});
    void replaceRun(std::unique_ptr<LessonRun> run);
    void runChanged();
    void runOver();
    void takeRecordedLesson();
    void pauseAtQuestion();
    void inject(InjectFault::Kind kind, int rank);
    void faultJudged(const QString& headline, const QString& told, std::optional<size_t> wrongAt);
    void showError(const Error& error);
    void adviseOnTorch();
    void refresh();
    void refreshHead();
    void setPresenting(bool isOn);
    void showWriting(bool isShown);
    void setTexts();
    const Lesson* lesson() const;

    EngineBridge& m_bridge;
    LessonListModel m_lessons;
    LearnProgress m_progress{m_lessons};
    LessonPlayer m_player;
    std::unique_ptr<LessonRun> m_run;
    LessonTrust m_trust{this};
    std::string m_wantedLesson;
    std::string m_shownLesson;
    bool m_areLessonsRead = false;
    bool m_isRecordedLesson = false; ///< The program is the recording's.
    bool m_wasOver = false;
    FaultPredictor m_faultPredictor{this};

    LearnView* m_view;
    LessonFiles m_lessonFiles;
    LessonWriting m_writing;
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app
