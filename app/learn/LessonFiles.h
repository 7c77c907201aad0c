#pragma once

#include <QObject>
#include <QThreadPool>

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

Q_SIGNALS:
    void opened(const ringmaster::app::Lesson& lesson);
    /// With a sentence a finding.
    void refused(const QString& path, const QStringList& findings);
    /// A sentence for the reader: saved, or why not.
    void told(const QString& sentence);

private:
    void load(const QString& path);
    void savePictureAs(const MomentPanel& moment, const QString& path);

    QWidget* m_page;
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app
