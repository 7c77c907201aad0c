#include "app/learn/LessonFiles.h"

#include "app/bridge/Background.h"
#include "app/bridge/Messages.h"
#include "app/bridge/SaveFile.h"
#include "app/learn/LessonListModel.h"
#include "app/learn/MomentPanel.h"
#include "engine/lesson/ClassSheet.h"

#include <QFileDialog>
#include <QInputDialog>

namespace ringmaster::app {

LessonFiles::LessonFiles(QWidget* page) : QObject(page), m_page(page) {}

void LessonFiles::open()
{
    auto* dialog = new QFileDialog(m_page, tr("Open a lesson"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Lessons (*.ringlesson lesson.toml)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &LessonFiles::load);
    dialog->open();
}

void LessonFiles::load(const QString& path)
{
    inBackground(
        m_files, this, [path] { return lesson::loadPack(path.toStdString()); },
        [this, path](const lesson::PackResult& pack) {
            if (pack) {
                Q_EMIT opened({.file = path.toStdString(), .pack = *pack, .isOwn = false});
                return;
            }
            QStringList findings;
            for (const Finding& finding : pack.error())
                findings << tr("line %1: %2")
                                .arg(QString::number(finding.place.line), text(finding.message));
            Q_EMIT refused(path, findings);
        });
}

void LessonFiles::savePicture(const MomentPanel& moment, const QString& name)
{
    auto* dialog = new QFileDialog(m_page, tr("Save the picture"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)")});
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->selectFile(name + QStringLiteral(".png"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        const bool isSvg = filter.contains(QLatin1String("svg"));
        dialog->setDefaultSuffix(isSvg ? QStringLiteral("svg") : QStringLiteral("png"));
    });
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, &moment](const QString& path) { savePictureAs(moment, path); });
    dialog->open();
}

void LessonFiles::saveAnswers(const lesson::Progress& progress,
                              const std::map<std::string, size_t>& questions)
{
    auto* dialog = new QInputDialog(m_page);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("learner"));
    dialog->setWindowTitle(tr("Save my answers"));
    dialog->setLabelText(tr("Your name, as your teacher is to read it:"));
    dialog->setTextValue(qEnvironmentVariable("USER"));
    dialog->setOkButtonText(tr("Save…"));
    dialog->setCancelButtonText(tr("Cancel"));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, progress, questions](const QString& learner) {
                if (!learner.trimmed().isEmpty())
                    saveAnswersOf(learner.simplified(), progress, questions);
            });
    dialog->open();
}

void LessonFiles::saveAnswersOf(const QString& learner, const lesson::Progress& progress,
                                const std::map<std::string, size_t>& questions)
{
    const QByteArray text = QByteArray::fromStdString(
        lesson::answersText(lesson::answersOf(progress, learner.toStdString(), questions)));
    auto* dialog = new QFileDialog(m_page, tr("Save my answers"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Answers (*.json)")});
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->selectFile(tr("answers") + QStringLiteral(".json"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, text](const QString& path) {
        saveFile(
            m_files, this, path, [text] { return text; },
            [this](const QString& sentence) { Q_EMIT told(sentence); });
    });
    dialog->open();
}

void LessonFiles::savePictureAs(const MomentPanel& moment, const QString& path)
{
    const bool isSvg = path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive);
    const QByteArray picture = isSvg ? moment.svg() : moment.png();
    saveFile(
        m_files, this, path, [picture] { return picture; },
        [this](const QString& sentence) { Q_EMIT told(sentence); });
}

} // namespace ringmaster::app
