#pragma once

#include "app/learn/LessonDraft.h"
#include "app/learn/LessonListModel.h"

#include <QObject>
#include <QThreadPool>

#include <functional>

class QLayout;

namespace ringmaster::app {

class LessonEditor;

/// What somebody who writes lessons does with files: begins one, opens, saves and runs it. Nothing
/// that was typed goes without a question; what isn't saved is kept as a draft.
class LessonWriting : public QObject
{
    Q_OBJECT

public:
    /// The editor gets its place in the page's layout when it is first wanted.
    explicit LessonWriting(QWidget* page);
    ~LessonWriting() override;

    void beginNew();
    /// Of a lesson that came with Ringmaster a copy, another one itself.
    void edit(const std::filesystem::path& file, bool isOwn);
    void open();
    /// Where it was left.
    void resume();
    /// A draft that was left when the dashboard ended.
    void recover();

    /// There is a lesson in it.
    bool hasLesson() const { return m_editor != nullptr; }
    bool isShown() const;
    void setShown(bool isShown);
    bool isUnsaved() const;
    /// Before the window closes: at once, or when what isn't saved is saved or given up.
    void whenSaved(std::function<void()> then);
    LessonEditor* editor() { return m_editor; }

Q_SIGNALS:
    /// The editor is shown now, or the lessons are.
    void shown(bool isShown);
    /// It is saved and has no errors. Made here: it needs no leave to run.
    void runWanted(const ringmaster::app::Lesson& lesson, bool isOwnWork);
    /// A sentence for the reader.
    void told(const QString& sentence);

private:
    void take(const LessonSource& source, bool isModified = false);
    void load(const std::filesystem::path& file, bool isCopy);
    void replace(std::function<void()> then);
    void ask(const QString& question, std::function<void()> then);
    void save(std::function<void()> then);
    void saveAs(std::function<void()> then);
    /// `saved`: of afterSaving().
    void write(const LessonSource& source, bool overwrites,
               std::function<void(const LessonSource&)> saved);
    void written(const LessonSource& source, const LessonSaving& saving,
                 const std::function<void(const LessonSource&)>& saved);
    std::function<void(const LessonSource&)> afterSaving(std::function<void()> then);
    void run();
    void runChecked();
    LessonEditor& needEditor();

    QWidget* m_page;
    LessonEditor* m_editor = nullptr;
    bool m_isRunWanted = false; ///< As soon as the check is over.
    // How many so far: the answer of a slow disk may be of an earlier lesson.
    int m_taken = 0; ///< Lessons that came into the editor.
    int m_loads = 0; ///< Files that were to be opened.
    int m_edits = 0;
    LessonDraft m_draft;
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app
