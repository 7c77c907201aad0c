#include "app/learn/LessonWriting.h"

#include "app/bridge/Background.h"
#include "app/bridge/Messages.h"
#include "app/learn/LessonEditor.h"
#include "app/learn/SourceEditor.h"
#include "app/widget/Question.h"

#include <QFileDialog>
#include <QLayout>

namespace ringmaster::app {

namespace {

std::filesystem::path chosenPath(const QString& name)
{
    return QFile::encodeName(name).toStdString();
}

} // namespace

LessonWriting::LessonWriting(QWidget* page)
    : QObject(page), m_page(page), m_draft([this] { return m_editor->source(); })
{
    // In the order in which it was asked for.
    m_files.setMaxThreadCount(1);
}

LessonWriting::~LessonWriting() = default;

LessonEditor& LessonWriting::needEditor()
{
    if (m_editor != nullptr)
        return *m_editor;
    m_editor = new LessonEditor(m_page);
    m_editor->hide();
    m_page->layout()->addWidget(m_editor);
    connect(m_editor, &LessonEditor::leaveWanted, this, [this] { setShown(false); });
    connect(m_editor, &LessonEditor::saveWanted, this, [this] { save({}); });
    connect(m_editor, &LessonEditor::saveAsWanted, this, [this] { saveAs({}); });
    connect(m_editor, &LessonEditor::runWanted, this, &LessonWriting::run);
    connect(m_editor, &LessonEditor::edited, this, [this] {
        ++m_edits;
        m_isRunWanted = false;
        if (m_editor->isModified())
            m_draft.keepSoon();
        else
            m_draft.forget();
    });
    connect(m_editor, &LessonEditor::checked, this, [this] {
        if (std::exchange(m_isRunWanted, false))
            runChecked();
    });
    return *m_editor;
}

bool LessonWriting::isShown() const
{
    return m_editor != nullptr && m_editor->isVisibleTo(m_page);
}

void LessonWriting::setShown(bool isShown)
{
    m_editor->setVisible(isShown);
    Q_EMIT shown(isShown);
    if (isShown)
        m_editor->lessonText().setFocus();
}

void LessonWriting::resume()
{
    if (m_editor != nullptr)
        setShown(true);
}

void LessonWriting::take(const LessonSource& source, bool isModified)
{
    ++m_taken;
    needEditor().setSource(source, isModified);
    setShown(true);
}

void LessonWriting::beginNew()
{
    replace([this] { take(newLessonSource()); });
}

void LessonWriting::edit(const std::filesystem::path& file, bool isOwn)
{
    const bool isOpen = m_editor != nullptr && m_editor->source().path == lesson::packFile(file);
    if (isOpen)
        return resume();
    replace([this, file, isOwn] { load(file, isOwn); });
}

void LessonWriting::open()
{
    replace([this] {
        auto* dialog = new QFileDialog(m_page, tr("Edit a lesson"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        dialog->setNameFilters({tr("Lessons (*.ringlesson lesson.toml)"), tr("All files (*)")});
        connect(dialog, &QFileDialog::fileSelected, this,
                [this](const QString& path) { load(chosenPath(path), false); });
        dialog->open();
    });
}

void LessonWriting::load(const std::filesystem::path& file, bool isCopy)
{
    inBackground(
        m_files, this, [file] { return readLessonSource(file); },
        [this, isCopy, taken = m_taken, load = ++m_loads,
         edits = m_edits](const Result<LessonSource>& source) {
            if (!source)
                return Q_EMIT told(text(source.error()));
            // Another one was opened meanwhile, or is about to be.
            if (taken != m_taken || load != m_loads)
                return;
            LessonSource wanted = isCopy ? copyOf(*source) : *source;
            wanted.isOwnWork = isCopy;
            if (edits == m_edits)
                return take(wanted);
            replace([this, wanted] { take(wanted); });
        });
}

void LessonWriting::recover()
{
    m_draft.load([this](const LessonSource& source) {
        if (m_editor != nullptr)
            return;
        take(source, true);
        Q_EMIT told(tr("What you wrote in this lesson wasn't saved; here it is again."));
    });
}

bool LessonWriting::isUnsaved() const
{
    return m_editor != nullptr && m_editor->isModified();
}

void LessonWriting::whenSaved(std::function<void()> then)
{
    ask(tr("The lesson that you write isn't saved."), std::move(then));
}

/// By another lesson.
void LessonWriting::replace(std::function<void()> then)
{
    ask(tr("What you wrote in the lesson before isn't saved."), std::move(then));
}

void LessonWriting::ask(const QString& question, std::function<void()> then)
{
    if (!isUnsaved())
        return then();
    const auto discard = [this, then] {
        m_draft.forget();
        then();
    };
    askToSave(
        m_page->window(),
        {.objectName = QStringLiteral("unsavedLesson"),
         .title = tr("Save the lesson?"),
         .text = question},
        [this, then = std::move(then)] { save(then); }, discard);
}

void LessonWriting::save(std::function<void()> then)
{
    const LessonSource source = m_editor->source();
    if (source.path.empty())
        return saveAs(std::move(then));
    write(source, false, afterSaving(std::move(then)));
}

void LessonWriting::saveAs(std::function<void()> then)
{
    const std::string name = m_editor->checkup().pack.name;
    auto* dialog = new QFileDialog(m_page, tr("Save the lesson"));
    dialog->setObjectName(QStringLiteral("saveLesson"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Lessons (*.ringlesson)")});
    dialog->setDefaultSuffix(QStringLiteral("ringlesson"));
    dialog->selectFile(QString::fromStdString(name.empty() ? "lesson" : name) +
                       QStringLiteral(".ringlesson"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, then = std::move(then)](const QString& chosen) {
                LessonSource source = m_editor->source();
                source.path = placeFor(source, chosenPath(chosen));
                // The dialog has asked whether a file that is there may go.
                write(source, true, afterSaving(then));
            });
    dialog->open();
}

void LessonWriting::write(const LessonSource& source, bool overwrites,
                          std::function<void(const LessonSource&)> saved)
{
    inBackground(
        m_files, this, [source, overwrites] { return writeLessonSource(source, overwrites); },
        [this, source, saved = std::move(saved)](const LessonSaving& saving) {
            written(source, saving, saved);
        });
}

void LessonWriting::written(const LessonSource& source, const LessonSaving& saving,
                            const std::function<void(const LessonSource&)>& saved)
{
    if (!saving.outdated.isEmpty())
        return app::ask(
            m_page->window(),
            {.objectName = QStringLiteral("outdatedLesson"),
             .title = tr("Save the lesson?"),
             .text = tr("%1 has changed since it was opened here.")
                         .arg(saving.outdated.toHtmlEscaped()),
             .information = tr("Something else wrote it. Saving replaces that; Save as… "
                               "keeps both."),
             .accept = tr("Replace it"),
             .keep = tr("Cancel")},
            [this, source, saved](bool) { write(source, true, saved); });
    if (!saving.isSaved)
        return Q_EMIT told(tr("The lesson can't be saved: %1").arg(saving.problem));
    saved(source);
}

/// Another lesson may be in the editor by then: it isn't what was saved.
std::function<void(const LessonSource&)> LessonWriting::afterSaving(std::function<void()> then)
{
    return [this, taken = m_taken, then = std::move(then)](const LessonSource& source) {
        const bool isHere = taken == m_taken;
        if (isHere)
            m_editor->setSaved(source);
        if (isHere && then)
            then();
        else
            Q_EMIT told(tr("Saved %1").arg(QString::fromStdString(source.path.string())));
    };
}

void LessonWriting::run()
{
    const auto check = [this] {
        if (m_editor->isChecked())
            return runChecked();
        m_isRunWanted = true;
    };
    if (m_editor->isModified() || m_editor->source().path.empty())
        save(check);
    else
        check();
}

void LessonWriting::runChecked()
{
    if (m_editor->hasErrors()) {
        m_editor->showNextError();
        return Q_EMIT told(tr("The lesson has errors: it doesn't run yet."));
    }
    const LessonSource source = m_editor->source();
    setShown(false);
    Q_EMIT runWanted({.file = source.path, .pack = m_editor->checkup().pack, .isOwn = false},
                     source.isOwnWork);
}

} // namespace ringmaster::app
