#pragma once

#include <QObject>

#include <string>

class QWidget;

namespace ringmaster::app {

/// Makes a lesson of a recorded run: asks for the file, and writes it on a thread of its own, which
/// the page doesn't wait for.
class LessonExport : public QObject
{
    Q_OBJECT

public:
    explicit LessonExport(QWidget* page);

    void chooseFile(const std::string& run);

Q_SIGNALS:
    /// A sentence for the reader: saved, with what isn't in it, or why not. Who has left the page
    /// by then isn't told.
    void told(const QString& sentence);

private:
    void write(const std::string& run, const QString& path);

    QWidget* m_page;
};

} // namespace ringmaster::app
