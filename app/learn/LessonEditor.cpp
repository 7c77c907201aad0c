#include "app/learn/LessonEditor.h"

#include "app/bridge/Messages.h"
#include "app/learn/LessonFindings.h"
#include "app/learn/LessonPreview.h"
#include "app/learn/SourceEditor.h"
#include "app/widget/Card.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/Translated.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QShortcut>
#include <QSplitter>
#include <QTabBar>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>

namespace ringmaster::app {

namespace {

std::vector<ProgramEditor::Trouble> troublesIn(const std::vector<LessonFinding>& findings,
                                               bool isProgram)
{
    std::vector<ProgramEditor::Trouble> troubles;
    for (const LessonFinding& finding : findings)
        if (finding.isInProgram == isProgram && finding.line > 0)
            troubles.push_back({.line = finding.line, .text = text(finding.message)});
    return troubles;
}

} // namespace

LessonEditor::LessonEditor(QWidget* parent)
    : QWidget(parent)
    , m_checker([this] { return source(); })
    , m_title(new ElidedLabel(this))
    , m_leave(new QPushButton(this))
    , m_save(new QPushButton(this))
    , m_saveAs(new QPushButton(this))
    , m_run(new QPushButton(this))
    , m_files(new Card(this))
    , m_parts(new QToolButton(this))
    , m_tabs(new QTabBar(this))
    , m_lesson(new SourceEditor(this))
    , m_program(new SourceEditor(this))
    , m_findings(new LessonFindings(this))
    , m_preview(new LessonPreview(this))
    , m_left(new QSplitter(Qt::Vertical, this))
    , m_columns(new QSplitter(this))
{
    build();
    addKeys();
    connect(m_leave, &QPushButton::clicked, this, &LessonEditor::leaveWanted);
    connect(m_save, &QPushButton::clicked, this, &LessonEditor::saveWanted);
    connect(m_saveAs, &QPushButton::clicked, this, &LessonEditor::saveAsWanted);
    connect(m_run, &QPushButton::clicked, this, &LessonEditor::runWanted);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) { showFile(tab == 1); });
    connect(m_parts->menu(), &QMenu::aboutToShow, this, &LessonEditor::fillParts);
    connect(m_findings, &LessonFindings::chosen, this, &LessonEditor::goTo);
    connect(&m_checker, &LessonChecker::began, m_findings, &LessonFindings::setChecking);
    connect(&m_checker, &LessonChecker::checked, this, &LessonEditor::takeCheckup);
    for (const SourceEditor* editor : {m_lesson, m_program}) {
        connect(editor, &QPlainTextEdit::textChanged, this, [this] {
            if (m_isLoading)
                return;
            m_checker.checkSoon();
            Q_EMIT edited();
        });
        connect(editor, &QPlainTextEdit::modificationChanged, this, &LessonEditor::refreshHead);
    }
    translated(this, [this] { setTexts(); });
}

void LessonEditor::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    setLook(m_title, "title");
    setLook(m_run, "primary");
    head->addWidget(m_leave);
    head->addWidget(m_title, 1);
    for (QPushButton* button : {m_saveAs, m_save, m_run})
        head->addWidget(button);
    layout->addLayout(head);

    setLook(m_parts, "flat");
    m_parts->setPopupMode(QToolButton::InstantPopup);
    m_parts->setMenu(new QMenu(m_parts));
    m_files->addHeaderWidget(m_parts);
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_files->content()->addWidget(m_tabs);
    m_files->content()->addWidget(m_lesson, 1);
    m_files->content()->addWidget(m_program, 1);
    for (SourceEditor* editor : {m_lesson, m_program})
        editor->setTypeSize(13);
    // Its texts are paragraphs.
    m_lesson->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_program->hide();

    m_left->addWidget(m_files);
    m_left->addWidget(m_findings);
    m_left->setStretchFactor(0, 1);
    m_left->setSizes({460, 130});
    m_columns->addWidget(m_left);
    m_columns->addWidget(m_preview);
    m_columns->setStretchFactor(0, 3);
    m_columns->setStretchFactor(1, 2);
    m_columns->setSizes({600, 400});
    m_preview->setMinimumWidth(240);
    m_left->setMinimumWidth(320);
    for (QSplitter* splitter : {m_left, m_columns}) {
        splitter->setHandleWidth(12);
        splitter->setChildrenCollapsible(false);
    }
    layout->addWidget(m_columns, 1);
}

void LessonEditor::addKeys()
{
    const auto key = [this](const QKeySequence& sequence, std::function<void()> action) {
        auto* shortcut =
            new QShortcut(sequence, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, std::move(action));
    };
    key(QKeySequence::Save, [this] { Q_EMIT saveWanted(); });
    key(Qt::CTRL | Qt::SHIFT | Qt::Key_S, [this] { Q_EMIT saveAsWanted(); });
    key(Qt::CTRL | Qt::Key_Return, [this] { Q_EMIT runWanted(); });
    key(Qt::Key_F8, [this] { showNextError(); });
}

void LessonEditor::setSource(const LessonSource& source, bool isModified)
{
    m_source = source;
    m_checkup = {};
    m_isLoading = true;
    m_lesson->setSource(source.lesson.text);
    m_program->setSource(source.program.text);
    m_lesson->document()->setModified(isModified);
    m_program->document()->setModified(isModified && source.program.text != source.program.saved);
    m_isLoading = false;
    m_tabs->setCurrentIndex(0);
    m_findings->setFindings({}, {});
    setTexts();
    m_checker.checkNow();
    Q_EMIT edited();
}

LessonSource LessonEditor::source() const
{
    LessonSource source = m_source;
    source.lesson.text = m_lesson->source();
    source.program.text = m_program->source();
    return source;
}

void LessonEditor::setSaved(const LessonSource& written)
{
    m_source = written;
    m_source.lesson.saved = written.lesson.text;
    m_source.program.saved = written.program.text;
    m_lesson->document()->setModified(m_lesson->source() != written.lesson.text);
    m_program->document()->setModified(m_program->source() != written.program.text);
    setTexts();
    m_checker.checkNow(); // What lies beside it may be something else.
    Q_EMIT edited();
}

bool LessonEditor::isModified() const
{
    return m_lesson->document()->isModified() || m_program->document()->isModified();
}

void LessonEditor::takeCheckup(const LessonCheckup& checkup)
{
    // What can't be read at all leaves the preview as it was.
    if (checkup.isReadable)
        m_preview->show(checkup.pack);
    m_preview->setOutdated(!checkup.isReadable);
    m_checkup = checkup;
    if (checkup.isReadable)
        takeProgram(checkup.pack);
    m_findings->setFindings(checkup.findings, QString::fromStdString(m_source.programName));
    m_lesson->setTroubles(troublesIn(checkup.findings, false));
    m_program->setTroubles(troublesIn(checkup.findings, true));
    Q_EMIT checked();
}

/// The lesson names another program now, which is there; or has it in itself.
void LessonEditor::takeProgram(const lesson::Pack& pack)
{
    const bool isThere = pack.programFile.empty() || !pack.source.empty();
    if (pack.programFile == m_source.programName || !isThere || m_program->document()->isModified())
        return;
    m_source.programName = pack.programFile;
    m_source.program =
        LessonSource::File::of(pack.programFile.empty() ? std::string() : pack.source);
    m_isLoading = true;
    m_program->setSource(m_source.program.text);
    m_isLoading = false;
    setTexts();
}

void LessonEditor::showFile(bool isProgram)
{
    const bool hadFocus = m_lesson->hasFocus() || m_program->hasFocus();
    m_lesson->setVisible(!isProgram);
    m_program->setVisible(isProgram);
    m_parts->setVisible(!isProgram);
    if (hadFocus)
        (isProgram ? m_program : m_lesson)->setFocus();
}

void LessonEditor::goTo(bool isInProgram, int line)
{
    m_tabs->setCurrentIndex(isInProgram ? 1 : 0);
    (isInProgram ? m_program : m_lesson)->goTo(line);
}

void LessonEditor::showNextError()
{
    const bool isInProgram = m_program->isVisible();
    const int line = (isInProgram ? m_program : m_lesson)->currentLine();
    if (const LessonFinding* finding = m_findings->next(isInProgram, line))
        goTo(finding->isInProgram, finding->line);
}

/// The tables of the lesson, and its program.
void LessonEditor::fillParts()
{
    static const QRegularExpression part(
        QStringLiteral("^(?:(source) *=|(program) *=|\\[\\[?([a-z._]+)\\]\\]?)"));
    m_parts->menu()->clear();
    QMap<QString, int> seen;
    for (QTextBlock block = m_lesson->document()->begin(); block.isValid(); block = block.next()) {
        const auto match = part.match(block.text());
        if (!match.hasMatch())
            continue;
        const QString name = match.captured(match.lastCapturedIndex());
        const bool isOneOfMany = block.text().startsWith(QLatin1String("[["));
        const QString shown = isOneOfMany ? tr("%1 %2").arg(name).arg(++seen[name]) : name;
        m_parts->menu()->addAction(shown, this,
                                   [this, line = block.blockNumber() + 1] { goTo(false, line); });
    }
}

void LessonEditor::refreshHead()
{
    const QString path = QString::fromStdString(m_source.path.string());
    const QString file = path.isEmpty() ? tr("A new lesson") : QFileInfo(path).fileName();
    m_title->setText(isModified() ? tr("%1 · not saved").arg(file) : file);
    const bool isSavedFirst = isModified() || path.isEmpty();
    m_run->setText(isSavedFirst ? tr("Save and run it") : tr("Run it"));
}

void LessonEditor::setTexts()
{
    const bool isFolder = !m_source.programName.empty();
    m_leave->setText(tr("‹ Learn"));
    m_leave->setToolTip(tr("Back to the lessons; what you have written stays here"));
    m_save->setText(tr("Save"));
    m_save->setToolTip(tr("Save the lesson (Ctrl+S)"));
    m_saveAs->setText(tr("Save as…"));
    m_saveAs->setToolTip(tr("Save the lesson under another name (Ctrl+Shift+S)"));
    m_run->setToolTip(tr("Save the lesson, and run it in Learn (Ctrl+Enter)"));
    m_files->setTitle(tr("Lesson"));
    m_files->setSubtitle(m_source.path.empty() ? tr("text, program and questions, as in its file")
                                               : QString::fromStdString(m_source.path.string()));
    m_files->setSubtitleDispensable();
    m_parts->setText(tr("Go to ▾"));
    m_parts->setToolTip(tr("To a part of the lesson"));
    m_tabs->setAccessibleName(tr("Files of the lesson"));
    m_lesson->setAccessibleName(tr("Text of the lesson"));
    m_program->setAccessibleName(tr("Program of the lesson"));
    while (m_tabs->count() > (isFolder ? 2 : 1))
        m_tabs->removeTab(m_tabs->count() - 1);
    while (m_tabs->count() < (isFolder ? 2 : 1))
        m_tabs->addTab(QString());
    const QString name = QFileInfo(QString::fromStdString(m_source.path.string())).fileName();
    m_tabs->setTabText(0, name.isEmpty() ? QStringLiteral("lesson.toml") : name);
    if (isFolder)
        m_tabs->setTabText(1, QString::fromStdString(m_source.programName));
    m_tabs->setVisible(isFolder);
    m_lesson->setTroubles(troublesIn(m_checkup.findings, false));
    m_program->setTroubles(troublesIn(m_checkup.findings, true));
    refreshHead();
}

} // namespace ringmaster::app
