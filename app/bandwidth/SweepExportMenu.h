#pragma once

#include <QMenu>
#include <QThreadPool>

namespace ringmaster::app {

class SweepResults;

/// Saves the results that are shown as a table, a picture or a drawing.
class SweepExportMenu : public QMenu
{
    Q_OBJECT

public:
    explicit SweepExportMenu(const SweepResults& results, QWidget* parent = nullptr);

Q_SIGNALS:
    /// A sentence for the reader: saved, or why not.
    void told(const QString& sentence);

private:
    void exportTable(const QString& suffix);
    void exportPicture();
    void exportDrawing();
    void save(const QString& suffix, std::function<QByteArray()> content);
    void setTexts();

    const SweepResults& m_results;
    QAction* m_csv;
    QAction* m_json;
    QAction* m_picture;
    QAction* m_drawing;
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app
