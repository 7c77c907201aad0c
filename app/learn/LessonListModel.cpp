#include "app/learn/LessonListModel.h"

#include "engine/lesson/Codes.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace ringmaster::app {

namespace {

struct LessonLanguage
{
    Q_DECLARE_TR_FUNCTIONS(LessonLanguage)
};

} // namespace

std::string lessonLanguage()
{
    //: The language of this translation, as in "en" or "ja"; lessons bring texts in both.
    return LessonLanguage::tr("en").toStdString();
}

std::vector<Lesson> ownLessons()
{
    std::error_code ignored;
    const bool hasGpu = std::filesystem::exists("/dev/nvidia0", ignored);
    std::vector<Lesson> lessons;
    for (const std::filesystem::path& file : lesson::ownPacks()) {
        auto pack = lesson::loadPack(file);
        if (!pack)
            continue;
        if (!hasGpu)
            std::erase(pack->backends, "nccl");
        lessons.push_back({.file = file, .pack = *std::move(pack)});
    }
    return lessons;
}

Lesson recordedLesson(const LessonStarted& started)
{
    const auto noProgram = [](const std::string& name) -> Result<std::string> {
        return fail(code::PackProgramOutside, {{"path", name}});
    };
    auto pack = lesson::parsePack(started.pack, noProgram);
    Lesson recorded{.pack = pack ? *std::move(pack) : lesson::Pack{}, .isOwn = false};
    if (recorded.pack.name.empty()) {
        const std::string file = std::filesystem::path(started.program).filename().string();
        recorded.pack.name = file;
        recorded.pack.title = {file, file};
        recorded.pack.backends = {started.backend};
        recorded.pack.source = started.source;
    }
    return recorded;
}

void LessonListModel::setLessons(std::vector<Lesson> lessons)
{
    beginResetModel();
    for (Lesson& added : std::exchange(m_lessons, std::move(lessons))) {
        if (const int known = rowOf(added.pack.name); known >= 0)
            m_lessons[static_cast<size_t>(known)] = std::move(added);
        else
            m_lessons.push_back(std::move(added));
    }
    endResetModel();
    putInOrder();
}

int LessonListModel::add(Lesson lesson)
{
    const std::string name = lesson.pack.name;
    if (const int known = rowOf(name); known >= 0) {
        m_lessons[static_cast<size_t>(known)] = std::move(lesson);
        Q_EMIT dataChanged(index(known), index(known));
        return known;
    }
    beginInsertRows({}, rowCount(), rowCount());
    m_lessons.push_back(std::move(lesson));
    endInsertRows();
    return rowCount() - 1;
}

void LessonListModel::setOrder(Order order)
{
    m_order = order;
    putInOrder();
}

void LessonListModel::putInOrder()
{
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<std::string> names;
    for (const QModelIndex& index : before)
        names.push_back(lessonAt(index.row()).pack.name);
    std::ranges::stable_sort(m_lessons, {}, [this](const Lesson& lesson) {
        const int place =
            m_order == Order::Founding ? lesson.pack.order : lesson.pack.orderCollectivesFirst;
        return place > 0 ? place : INT32_MAX;
    });
    QModelIndexList after;
    for (const std::string& name : names)
        after << index(rowOf(name));
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

void LessonListModel::setProgress(const lesson::Progress& progress)
{
    m_progress = progress;
    setLanguageChanged();
}

void LessonListModel::setLanguageChanged()
{
    if (!m_lessons.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

int LessonListModel::rowOf(const std::string& name) const
{
    const auto found =
        std::ranges::find(m_lessons, name, [](const Lesson& lesson) { return lesson.pack.name; });
    return found == m_lessons.end() ? -1 : static_cast<int>(found - m_lessons.begin());
}

LessonListModel::Mark LessonListModel::markOf(const Lesson& lesson) const
{
    if (m_progress.isDone(lesson.pack.name, lesson.pack.questions.size()))
        return Mark::Done;
    return m_progress.hasRun(lesson.pack.name) ? Mark::Begun : Mark::New;
}

size_t LessonListModel::rightOf(const Lesson& lesson) const
{
    size_t right = 0;
    for (size_t question = 0; question < lesson.pack.questions.size(); ++question)
        right += m_progress.isAnswered(lesson.pack.name, question) ? 1 : 0;
    return right;
}

std::map<std::string, size_t> LessonListModel::questionCounts() const
{
    std::map<std::string, size_t> counts;
    for (const Lesson& lesson : m_lessons)
        counts[lesson.pack.name] = lesson.pack.questions.size();
    return counts;
}

int LessonListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lessons.size());
}

QVariant LessonListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Lesson& lesson = lessonAt(index.row());
    const Mark mark = markOf(lesson);
    const QString title = QString::fromStdString(lesson.pack.title.in(lessonLanguage()));
    switch (role) {
    case MarkRole: return static_cast<int>(mark);
    case Qt::DisplayRole: {
        const QString sign = mark == Mark::Done    ? QStringLiteral("✓")
                             : mark == Mark::Begun ? QStringLiteral("▸")
                                                   : QStringLiteral("  ");
        const QString text = QStringLiteral("%1 %2  %3").arg(sign).arg(index.row() + 1).arg(title);
        const size_t questions = lesson.pack.questions.size();
        return mark == Mark::New || questions == 0
                   ? text
                   : QStringLiteral("%1  %2/%3").arg(text).arg(rightOf(lesson)).arg(questions);
    }
    case Qt::ToolTipRole:
        return mark == Mark::New ? title
                                 : tr("%1: %2 of %3 questions right")
                                       .arg(title)
                                       .arg(rightOf(lesson))
                                       .arg(lesson.pack.questions.size());
    case Qt::AccessibleTextRole:
        return mark == Mark::Done    ? tr("%1, done").arg(title)
               : mark == Mark::Begun ? tr("%1, begun").arg(title)
                                     : title;
    default: return {};
    }
}

} // namespace ringmaster::app
