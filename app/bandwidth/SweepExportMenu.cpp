#include "app/bandwidth/SweepExportMenu.h"

#include "app/bandwidth/SweepResults.h"
#include "app/bandwidth/SweepText.h"
#include "app/bridge/SaveFile.h"
#include "app/widget/Translated.h"

#include <QBuffer>
#include <QFileDialog>

namespace ringmaster::app {

SweepExportMenu::SweepExportMenu(const SweepResults& results, QWidget* parent)
    : QMenu(parent)
    , m_results(results)
    , m_csv(addAction(QString()))
    , m_json(addAction(QString()))
    , m_picture(addAction(QString()))
{
    connect(m_csv, &QAction::triggered, this, [this] { exportTable(QStringLiteral("csv")); });
    connect(m_json, &QAction::triggered, this, [this] { exportTable(QStringLiteral("json")); });
    connect(m_picture, &QAction::triggered, this, &SweepExportMenu::exportPicture);
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
    save(QStringLiteral("png"), [picture = m_results.picture()] {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        picture.save(&buffer, "PNG");
        return bytes;
    });
}

void SweepExportMenu::save(const QString& suffix, const std::function<QByteArray()>& content)
{
    auto* dialog = new QFileDialog(parentWidget()->window(), tr("Save the sweep"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(QStringLiteral("sweep.") + suffix);
    connect(dialog, &QFileDialog::fileSelected, this, [this, content](const QString& path) {
        saveFile(m_files, this, path, content,
                 [this](const QString& told) { Q_EMIT this->told(told); });
    });
    dialog->open();
}

void SweepExportMenu::setTexts()
{
    m_csv->setText(tr("Table as CSV…"));
    m_json->setText(tr("Table as JSON…"));
    m_picture->setText(tr("Chart as picture…"));
}

} // namespace ringmaster::app
