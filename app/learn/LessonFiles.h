#pragma once

#include "engine/lesson/Progress.h"

#include <QObject>
#include <QThreadPool>

#include <map>
#include <string>

class QWidget;

namespace ringmaster::app {

struct Lesson;
class MomentPanel;

/// Asks which file to open a lesson from, or to save a picture in, and does it on a thread of its
/// own.
class LessonFiles : public QObject
{
    Q_OBJECT

public:
    explicit LessonFiles(QWidget* page);

    void open();
    /// `name`: of the file, unless another is chosen.
    void savePicture(const MomentPanel& moment, const QString& name);
    /// For a teacher; asks for the learner's name, too. `questions`: how many each lesson has.
    void saveAnswers(const lesson::Progress& progress,
                     const std::map<std::string, size_t>& questions);

Q_SIGNALS:
    void opened(const ringmaster::app::Lesson& lesson);
    /// With a sentence a finding.
    void refused(const QString& path, const QStringList& findings);
    /// A sentence for the reader: saved, or why not.
    void told(const QString& sentence);

private:
    void load(const QString& path);
    void saveAnswersOf(const QString& learner, const lesson::Progress& progress,
                       const std::map<std::string, size_t>& questions);
    void savePictureAs(const MomentPanel& moment, const QString& path);

    QWidget* m_page;
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app
