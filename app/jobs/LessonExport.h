#pragma once

#include <QObject>
#include <QThreadPool>

#include <string>

class QWidget;

namespace ringmaster::app {

/// Makes a lesson of a recorded run: asks for the file, and writes it on a thread of its own.
class LessonExport : public QObject
{
    Q_OBJECT

public:
    explicit LessonExport(QWidget* page);

    void chooseFile(const std::string& run);

Q_SIGNALS:
    /// A sentence for the reader: saved, with what isn't in it, or why not.
    void told(const QString& sentence);

private:
    void write(const std::string& run, const QString& path);

    QWidget* m_page;
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app
