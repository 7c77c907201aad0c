#pragma once

#include "engine/event/LessonEvents.h"
#include "engine/lesson/Pack.h"
#include "engine/lesson/Progress.h"

#include <QAbstractListModel>

#include <map>

namespace ringmaster::app {

/// A lesson that can be chosen.
struct Lesson
{
    std::filesystem::path file{};
    lesson::Pack pack{};
    bool isOwn = true; ///< Came with Ringmaster; another asks before it runs.
};

/// A lesson's program as the learner has it.
struct LessonProgram
{
    std::string text{};
    std::string origin{}; ///< What the learner began with: the lesson's program or a recording's.
};

/// The lessons in their order, with how far the learner has come in each.
class LessonListModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum class Order { Founding, CollectivesFirst };
    enum class Mark { New, Begun, Done };
    enum Role { MarkRole = Qt::UserRole };

    explicit LessonListModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    /// Those that were added before stay.
    void setLessons(std::vector<Lesson> lessons);
    /// One more, or another version of one; its row.
    int add(Lesson lesson);
    void setOrder(Order order);
    Order order() const { return m_order; }
    void setProgress(const lesson::Progress& progress);
    /// Texts are asked for again.
    void setLanguageChanged();

    const Lesson& lessonAt(int row) const { return m_lessons[static_cast<size_t>(row)]; }
    /// -1: none of that name.
    int rowOf(const std::string& name) const;
    Mark markOf(const Lesson& lesson) const;
    /// Of its questions, those that were answered rightly.
    size_t rightOf(const Lesson& lesson) const;
    /// How many each lesson has, by its name.
    std::map<std::string, size_t> questionCounts() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    void putInOrder();

    std::vector<Lesson> m_lessons;
    lesson::Progress m_progress;
    Order m_order = Order::Founding;
};

/// Those that came with Ringmaster and that this machine can run. Reads files.
std::vector<Lesson> ownLessons();

/// Of a recording: its text, its program and its questions are in it.
Lesson recordedLesson(const LessonStarted& started);

/// "ja" or "en": which of a lesson's texts the dashboard shows.
std::string lessonLanguage();

} // namespace ringmaster::app
