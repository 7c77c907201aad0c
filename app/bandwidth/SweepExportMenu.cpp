#include "app/bandwidth/SweepExportMenu.h"

#include "app/bandwidth/SweepResults.h"
#include "app/bandwidth/SweepText.h"
#include "app/widget/SaveDialog.h"
#include "app/widget/Translated.h"

namespace ringmaster::app {

SweepExportMenu::SweepExportMenu(const SweepResults& results, QWidget* parent)
    : QMenu(parent)
    , m_results(results)
    , m_csv(addAction(QString()))
    , m_json(addAction(QString()))
    , m_picture(addAction(QString()))
    , m_drawing(addAction(QString()))
{
    connect(m_csv, &QAction::triggered, this, [this] { exportTable(QStringLiteral("csv")); });
    connect(m_json, &QAction::triggered, this, [this] { exportTable(QStringLiteral("json")); });
    connect(m_picture, &QAction::triggered, this, &SweepExportMenu::exportPicture);
    connect(m_drawing, &QAction::triggered, this, &SweepExportMenu::exportDrawing);
    translated(this, [this] { setTexts(); });
}

void SweepExportMenu::exportTable(const QString& suffix)
{
    const std::vector<SweepTableModel::Row> rows = m_results.rows();
    save(suffix, [rows, isCsv = suffix == QLatin1String("csv")] {
        return isCsv ? sweepCsv(rows) : sweepJson(rows);
    });
}

void SweepExportMenu::exportPicture()
{
    save(QStringLiteral("png"), [picture = m_results.chart().picture()] { return pngOf(picture); });
}

void SweepExportMenu::exportDrawing()
{
    save(QStringLiteral("svg"), [drawing = m_results.chart().drawing()] { return drawing; });
}

void SweepExportMenu::save(const QString& suffix, std::function<QByteArray()> content)
{
    saveByDialog(parentWidget(), m_files, tr("Save the sweep"), QStringLiteral("sweep.") + suffix,
                 std::move(content), [this](const QString& told) { Q_EMIT this->told(told); });
}

void SweepExportMenu::setTexts()
{
    m_csv->setText(tr("Table as CSV…"));
    m_json->setText(tr("Table as JSON…"));
    m_picture->setText(tr("Chart as picture…"));
    m_drawing->setText(tr("Chart as drawing (SVG)…"));
}

} // namespace ringmaster::app
