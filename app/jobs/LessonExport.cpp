#include "app/jobs/LessonExport.h"

#include "app/bridge/Background.h"
#include "app/bridge/Messages.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/control/RunLesson.h"
#include "engine/record/RunCatalog.h"

#include <QFileDialog>
#include <QPointer>
#include <QThreadPool>

namespace ringmaster::app {

namespace {

struct Written
{
    int masked = 0;
    std::vector<Message> remarks{};
};

Result<Written> writeLesson(const std::string& run, const std::string& path)
{
    constexpr unsigned ForOthers = 0644;
    const RunFolder folder = RM_TRY(RunCatalog(runsFolder()).find(run));
    const RunLesson made = RM_TRY(makeLesson(folder));
    RM_TRY(writeFileAtomically(path, lesson::packTextOf(made.pack), ForOthers));
    return Written{static_cast<int>(made.maskedNames.size()), made.remarks};
}

} // namespace

LessonExport::LessonExport(QWidget* page) : QObject(page), m_page(page) {}

void LessonExport::chooseFile(const std::string& run)
{
    auto* dialog = new QFileDialog(m_page, tr("Make a lesson of this run"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Lessons (*.ringlesson)")});
    dialog->setDefaultSuffix(QStringLiteral("ringlesson"));
    dialog->selectFile(QString::fromStdString(run) + QStringLiteral(".ringlesson"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, run](const QString& path) { write(run, path); });
    dialog->open();
}

void LessonExport::write(const std::string& run, const QString& path)
{
    // Of the window: a long run is written while other pages are looked at.
    auto* files = new QThreadPool(m_page->window());
    inBackground(
        *files, files, [run, path] { return writeLesson(run, path.toStdString()); },
        [this, self = QPointer(this), files, path](const Result<Written>& written) {
            files->deleteLater();
            if (!self)
                return;
            if (!written) {
                Q_EMIT told(text(written.error()));
                return;
            }
            QString sentence =
                tr("Saved %1. Learn opens it, here and elsewhere: ⋯ > Open a lesson…").arg(path);
            if (written->masked > 0)
                sentence += u' ' + tr("%n secrets are masked.", nullptr, written->masked);
            for (const Message& remark : written->remarks)
                sentence += u' ' + text(remark);
            Q_EMIT told(sentence);
        });
}

} // namespace ringmaster::app
