#include "app/learn/ProgramCard.h"

#include "app/learn/LearnText.h"
#include "app/learn/ProgramEditor.h"
#include "app/learn/ProgramOutput.h"
#include "app/widget/Translated.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QTextCursor>
#include <QToolButton>

namespace ringmaster::app {

ProgramCard::ProgramCard(QWidget* parent)
    : Card(parent)
    , m_reset(new QToolButton(this))
    , m_editor(new ProgramEditor(this))
    , m_output(new ProgramOutput(this))
    , m_interpreterLabel(new QLabel(this))
    , m_interpreter(new QComboBox(this))
{
    setLook(m_reset, "flat");
    addHeaderWidget(m_reset);
    auto* halves = new QSplitter(Qt::Vertical, this);
    halves->addWidget(m_editor);
    halves->addWidget(m_output);
    halves->setChildrenCollapsible(false);
    halves->setStretchFactor(0, 1);
    halves->setSizes({400, 90});
    m_output->setMinimumHeight(44);
    content()->addWidget(halves, 1);
    m_interpreter->setEditable(true);
    m_interpreter->setInsertPolicy(QComboBox::NoInsert);
    m_interpreter->setMinimumContentsLength(12);
    m_interpreter->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_interpreter, &QComboBox::currentTextChanged, this, [this](const QString& path) {
        // A long path is seen from its beginning, and whole by the pointer.
        m_interpreter->setToolTip(path);
        if (!m_interpreter->lineEdit()->hasFocus())
            m_interpreter->lineEdit()->setCursorPosition(0);
    });
    m_interpreterLabel->setBuddy(m_interpreter);
    setLook(m_interpreterLabel, "muted");
    auto* python = new QHBoxLayout;
    python->addWidget(m_interpreterLabel);
    python->addWidget(m_interpreter, 1);
    content()->addLayout(python);
    connect(m_reset, &QToolButton::clicked, this, &ProgramCard::resetWanted);
    translated(this, [this] { setTexts(); });
}

void ProgramCard::setProgram(const LessonProgram& program)
{
    setReadOnly(false);
    m_codeLines.clear();
    m_origin = program.origin;
    m_editor->setNumbers({});
    m_editor->setPlainText(QString::fromStdString(program.text));
    m_editor->document()->setModified(program.text != program.origin);
}

void ProgramCard::reset(const std::string& source)
{
    QTextCursor all(m_editor->document());
    all.select(QTextCursor::Document);
    all.insertText(QString::fromStdString(source));
    m_editor->moveCursor(QTextCursor::Start);
    m_editor->document()->setModified(false);
}

void ProgramCard::setCode(const std::vector<lesson::CodeLines>& code)
{
    setReadOnly(true);
    m_codeLines.clear();
    m_origin.clear();
    QStringList lines;
    std::vector<int> numbers;
    const auto add = [&](const QString& line, int number) {
        lines << line;
        numbers.push_back(number);
    };
    std::string file;
    for (const lesson::CodeLines& piece : code) {
        if (piece.file != file && !file.empty())
            add({}, 0);
        add(piece.file == file ? QStringLiteral("⋯")
                               : QStringLiteral("# ") + QString::fromStdString(piece.file),
            0);
        file = piece.file;
        int number = piece.first;
        QString text = QString::fromStdString(piece.text);
        if (text.endsWith(u'\n'))
            text.chop(1);
        for (const QString& line : text.split(u'\n')) {
            add(line, number);
            m_codeLines[{file, number++}] = static_cast<int>(lines.size());
        }
    }
    m_editor->setPlainText(lines.join(u'\n'));
    m_editor->setNumbers(std::move(numbers));
}

void ProgramCard::setReadOnly(bool isReadOnly)
{
    m_editor->setReadOnly(isReadOnly);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_reset, m_interpreterLabel, m_interpreter})
        widget->setVisible(!isReadOnly);
}

/// While it computes, a recorded job's rank is somewhere that nobody has told.
int ProgramCard::lineOf(const LessonPlayer& player, const lesson::RankState& rank) const
{
    using Phase = lesson::RankState::Phase;
    if (player.run()->job() != nullptr) {
        const auto found = m_codeLines.find({rank.file, rank.line});
        return found == m_codeLines.end() || rank.phase != Phase::InCall ? 0 : found->second;
    }
    const bool isThere =
        player.run()->isProgram(rank.file) &&
        (rank.phase == Phase::AtLine || rank.phase == Phase::InCall || rank.phase == Phase::Failed);
    return isThere ? rank.line : 0;
}

LessonProgram ProgramCard::program() const
{
    return {.text = m_editor->toPlainText().toStdString(), .origin = m_origin};
}

bool ProgramCard::isChanged() const
{
    return m_editor->document()->isModified();
}

QString ProgramCard::interpreter() const
{
    return m_interpreter->currentText().trimmed();
}

void ProgramCard::setInterpreter(const QString& interpreter)
{
    m_interpreter->setEditText(interpreter);
}

void ProgramCard::setRunning(bool isRunning)
{
    m_interpreter->setEnabled(!isRunning);
}

void ProgramCard::setNarrow(bool isNarrow)
{
    m_editor->setLineWrapMode(isNarrow ? QPlainTextEdit::WidgetWidth : QPlainTextEdit::NoWrap);
}

void ProgramCard::setTypeSize(int pixels)
{
    m_editor->setTypeSize(pixels);
    m_output->setTypeSize(pixels);
}

void ProgramCard::showEvent(QShowEvent* event)
{
    Card::showEvent(event);
    m_output->setLooking(true);
}

void ProgramCard::hideEvent(QHideEvent* event)
{
    Card::hideEvent(event);
    m_output->setLooking(false);
}

void ProgramCard::show(const LessonPlayer& player)
{
    m_output->show(player.run());
    using Phase = lesson::RankState::Phase;
    const lesson::State& state = player.state();
    std::vector<int> lines;
    std::vector<ProgramEditor::Trouble> troubles;
    for (int rank = 0; rank < state.rankCount(); ++rank) {
        const lesson::RankState& known = state.rank(rank);
        lines.push_back(lineOf(player, known));
        if (known.phase == Phase::Failed)
            troubles.push_back(
                {known.line, rank,
                 tr("rank %1: %2").arg(rank).arg(QString::fromStdString(known.error))});
    }
    for (const lesson::Hazard& hazard : state.hazards())
        troubles.push_back({hazard.touchedAt.line, hazard.rank, hazardText(hazard)});
    if (const auto& deadlock = state.deadlock()) {
        for (const lesson::Wait& wait : deadlock->waits)
            troubles.push_back(
                {player.run()->job() == nullptr ? wait.at.line
                                                : lineOf(player, state.rank(wait.rank)),
                 wait.rank, tr("rank %1 %2").arg(QString::number(wait.rank), waitText(wait))});
    }
    const int actor =
        player.size() == 0 ? -1 : player.run()->recording().step(player.position()).globalRank;
    m_editor->setPointers(lines, actor);
    m_editor->setTroubles(troubles);
}

void ProgramCard::setTexts()
{
    setTitle(tr("Program"));
    m_editor->setAccessibleName(tr("Program"));
    m_reset->setText(tr("Reset"));
    m_reset->setToolTip(tr("The lesson's own program again"));
    m_interpreterLabel->setText(tr("Python:"));
    m_interpreter->setAccessibleName(tr("Interpreter"));
    m_interpreter->lineEdit()->setPlaceholderText(tr("the active Python"));
    m_interpreter->setToolTip(tr("The Python that runs the program: it needs torch. Empty is the "
                                 "active one."));
}

} // namespace ringmaster::app
