#pragma once

#include "app/learn/LessonSource.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <filesystem>
#include <functional>

namespace ringmaster::app {

/// What is written in a lesson and isn't saved, in a file of its own: whatever ends the dashboard,
/// it is there again. Reads and writes on a thread of its own.
class LessonDraft : public QObject
{
    Q_OBJECT

public:
    explicit LessonDraft(std::function<LessonSource()> source, QObject* parent = nullptr);
    /// Waits until what there is to keep is kept.
    ~LessonDraft() override;

    /// Soon; typing doesn't write a file a letter.
    void keepSoon();
    /// It is saved, or isn't wanted.
    void forget();
    /// `found`, if something was kept.
    void load(std::function<void(const LessonSource&)> found);

private:
    void keep();

    std::function<LessonSource()> m_source;
    std::filesystem::path m_file;
    QTimer m_soon;
    QThreadPool m_thread; ///< Last: ended first.
};

} // namespace ringmaster::app
