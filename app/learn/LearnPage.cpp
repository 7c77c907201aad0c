#include "app/learn/LearnPage.h"

#include "app/bridge/Background.h"
#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/learn/LearnHead.h"
#include "app/learn/LearnText.h"
#include "app/learn/LessonHtml.h"
#include "app/learn/LessonPicture.h"
#include "app/learn/LessonsCard.h"
#include "app/learn/MomentPanel.h"
#include "app/learn/ProgramCard.h"
#include "app/learn/QuestionPanel.h"
#include "app/widget/Banner.h"
#include "app/widget/Translated.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/Questions.h"

#include <QMessageBox>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>

namespace ringmaster::app {

PageDescription LearnPage::description()
{
    return describePage<LearnPage>(QStringLiteral("learn"));
}

LearnPage::LearnPage(EngineBridge& bridge, QWidget* parent)
    : Page(parent)
    , m_bridge(bridge)
    , m_head(new LearnHead(m_lessons, m_player, this))
    , m_banner(new Banner(this))
    , m_lessonsCard(new LessonsCard(m_lessons, this))
    , m_moment(new MomentPanel(m_player, this))
    , m_questions(new QuestionPanel(this))
    , m_program(new ProgramCard(this))
    , m_columns(new QSplitter(this))
    , m_side(new QSplitter(this))
{
    // What is saved is saved in the order in which it happened.
    m_files.setMaxThreadCount(1);
    build();
    connectControls();
    addKeys();
    translated(this, [this] { setTexts(); });
}

void LearnPage::addKeys()
{
    const auto key = [this](const QKeySequence& sequence, std::function<void()> action) {
        auto* shortcut =
            new QShortcut(sequence, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, std::move(action));
    };
    key(Qt::Key_F11, [this] { setPresenting(!m_isPresenting); });
    key(Qt::CTRL | Qt::Key_Return, [this] { run(); });
    key(Qt::Key_A, [this] { m_questions->focusAnswer(); });
    key(Qt::Key_F, [this] { m_head->openFaults(); });
}

LearnPage::~LearnPage()
{
    m_player.setRun(nullptr);
}

QString LearnPage::title() const
{
    return tr("Learn");
}

void LearnPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    readLessons();
}

void LearnPage::readLessons()
{
    if (std::exchange(m_areLessonsRead, true))
        return;
    struct Found
    {
        std::vector<Lesson> lessons{};
        lesson::Progress progress{};
        bool hasGpu = false;
    };
    const auto read = [] {
        Found found{.progress = lesson::Progress::load(),
                    .hasGpu = std::filesystem::exists("/dev/nvidia0")};
        for (const std::filesystem::path& file : lesson::ownPacks()) {
            if (auto pack = lesson::loadPack(file))
                found.lessons.push_back({.file = file, .pack = *std::move(pack)});
        }
        return found;
    };
    inBackground(m_files, this, read, [this](Found found) {
        if (!found.hasGpu) {
            for (Lesson& lesson : found.lessons)
                std::erase(lesson.pack.backends, "nccl");
        }
        m_progress = std::move(found.progress);
        m_lessons.setLessons(std::move(found.lessons));
        m_lessons.setProgress(m_progress);
        takeRecordedLesson();
        const int wanted = m_lessons.rowOf(m_wantedLesson);
        if (m_shownLesson.empty() && m_lessons.rowCount() > 0)
            m_lessonsCard->setCurrent(std::max(wanted, 0));
    });
}

void LearnPage::chooseLesson(const std::string& name)
{
    m_wantedLesson = name;
    if (const int row = m_lessons.rowOf(name); row >= 0)
        m_lessonsCard->setCurrent(row);
}

const Lesson* LearnPage::lesson() const
{
    const int row = m_lessons.rowOf(m_shownLesson);
    return row < 0 ? nullptr : &m_lessons.lessonAt(row);
}

void LearnPage::showLesson(int row)
{
    if (row < 0 || m_lessons.lessonAt(row).pack.name == m_shownLesson)
        return;
    replaceRun(nullptr);
    const Lesson& shown = m_lessons.lessonAt(row);
    m_shownLesson = shown.pack.name;
    m_wantedLesson = m_shownLesson;
    m_banner->clear();
    m_head->setLesson(shown.pack);
    m_questions->setQuestions(shown.pack.questions);
    resetProgram();
    showText();
    refresh();
}

void LearnPage::showText()
{
    const Lesson* shown = lesson();
    m_head->setTitle(shown == nullptr
                         ? title()
                         : QString::fromStdString(shown->pack.title.in(lessonLanguage())));
    m_lessonsCard->setText(shown == nullptr ? QString() : lessonHtml(shown->pack, m_progress));
}

void LearnPage::resetProgram()
{
    const Lesson* shown = lesson();
    if (shown == nullptr)
        return;
    m_program->setSource(shown->pack.source);
}

void LearnPage::run()
{
    if (m_run && m_run->isOwn() && m_run->phase() != LessonRun::Phase::Over)
        return m_run->stop();
    const Lesson* shown = lesson();
    if (shown == nullptr)
        return;
    if (shown->isOwn || m_trusted.contains(m_shownLesson))
        return start();
    auto* question = new QMessageBox(QMessageBox::Question, tr("Run a program from outside"),
                                     tr("This lesson didn't come with Ringmaster. Its program, "
                                        "which you see in the editor, will "
                                        "run on this machine with your rights. Run it?"),
                                     QMessageBox::Cancel, this);
    question->setObjectName(QStringLiteral("trustLesson"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->button(QMessageBox::Cancel)->setText(tr("Cancel"));
    auto* yes = question->addButton(tr("Run it"), QMessageBox::AcceptRole);
    connect(yes, &QAbstractButton::clicked, this, [this, name = m_shownLesson] {
        m_trusted.insert(name);
        start();
    });
    question->open();
}

/// As the ranks were let go in the run that is shown: what came of it comes again.
void LearnPage::runAgainInOrder()
{
    if (m_run && m_run->phase() == LessonRun::Phase::Over && lesson() != nullptr)
        start(m_run->recording().order(m_run->startLine()));
}

void LearnPage::start(std::vector<int> order)
{
    const Lesson* shown = lesson();
    if (shown == nullptr)
        return;
    m_banner->clear();
    m_questions->forget();
    auto run = std::make_unique<LessonRun>(
        m_bridge,
        LessonRun::Setting{.pack = shown->pack,
                           .packFile = shown->file,
                           .source = m_program->source(),
                           .ranks = m_head->ranks(),
                           .backend = m_head->backend(),
                           .interpreter = m_program->interpreter().toStdString(),
                           .order = std::move(order)},
        nullptr);
    replaceRun(std::move(run));
    focusMoment();
}

/// Where the keys move the lesson and are typed into nothing: the picture, once it is there.
void LearnPage::focusMoment()
{
    m_moment->setFocus();
    m_moment->picture().setFocus();
}

void LearnPage::replaceRun(std::unique_ptr<LessonRun> run)
{
    m_player.setRun(nullptr);
    m_questions->setRecording(nullptr, false);
    m_wasOver = false;
    m_faultPredictor.forget();
    m_run = std::move(run);
    if (m_run) {
        connect(m_run.get(), &LessonRun::changed, this, &LearnPage::runChanged);
        connect(m_run.get(), &LessonRun::failed, this, &LearnPage::showError);
    }
    m_player.setRun(m_run.get());
}

bool LearnPage::shows(const std::string& run) const
{
    if (m_run && m_run->run() == run)
        return true;
    const RunSummary* summary = m_bridge.find(run);
    return summary != nullptr && m_lessons.rowOf(summary->name) >= 0;
}

void LearnPage::openRun(const std::string& run)
{
    if (m_run && m_run->run() == run)
        return;
    m_isRecordedLesson = true;
    m_banner->clear();
    replaceRun(std::make_unique<LessonRun>(m_bridge, run, nullptr));
}

/// The text, the program and the questions of a recording are in it.
void LearnPage::takeRecordedLesson()
{
    if (!m_isRecordedLesson || !m_run || !m_run->recording().started() || m_lessons.rowCount() == 0)
        return;
    m_isRecordedLesson = false;
    const LessonStarted started = *m_run->recording().started();
    const auto noProgram = [](const std::string& name) -> Result<std::string> {
        return fail(code::PackProgramOutside, {{"path", name}});
    };
    auto pack = lesson::parsePack(started.pack, noProgram);
    Lesson recorded{.pack = pack ? *std::move(pack) : lesson::Pack{}, .isOwn = false};
    if (recorded.pack.name.empty()) {
        const std::string file = std::filesystem::path(started.program).filename().string();
        recorded.pack.name = file;
        recorded.pack.title = {file, file};
        recorded.pack.backends = {started.backend};
        recorded.pack.source = started.source;
    }
    int row = m_lessons.rowOf(recorded.pack.name);
    if (row < 0)
        row = m_lessons.add(std::move(recorded));
    auto run = std::move(m_run);
    m_shownLesson.clear();
    showLesson(row);
    m_lessonsCard->setCurrent(row);
    m_program->setSource(started.source);
    m_head->choose(started.ranks, started.backend);
    replaceRun(std::move(run));
    runChanged();
}

void LearnPage::runChanged()
{
    if (!m_run)
        return;
    takeRecordedLesson();
    const bool isOver = m_run->phase() == LessonRun::Phase::Over;
    if (isOver && !std::exchange(m_wasOver, true))
        runOver();
    m_questions->setRecording(&m_run->recording(), isOver);
    m_faultPredictor.judge(m_run->recording());
    pauseAtQuestion();
    refreshHead();
}

void LearnPage::runOver()
{
    const Lesson* shown = lesson();
    const lesson::Recording& recording = m_run->recording();
    if (recording.isEmpty() && m_run->reason().code != code::None)
        m_banner->show(Notice::Severity::Error, tr("The program did not run."),
                       text(m_run->reason()), m_run->traceback());
    else if (recording.isEmpty() && m_run->state() == RunState::Succeeded)
        m_banner->show(Notice::Severity::Warning, tr("Nothing to see."),
                       tr("The program ended at once: no line of it was reached."), {});
    else if (m_run->reason().code == code::LessonTooLong)
        m_banner->show(Notice::Severity::Warning, tr("The program was stopped."),
                       text(m_run->reason()), {});
    if (shown == nullptr || !m_run->isOwn() || recording.isEmpty())
        return;
    m_progress.ran(m_shownLesson);
    const auto outcome = lesson::outcomeOf(m_run->recording());
    const bool isChanged = recording.started() && recording.started()->source != shown->pack.source;
    for (size_t task = 0; task < shown->pack.tasks.size(); ++task) {
        const bool isNew = isChanged && !m_progress.isSolved(m_shownLesson, task);
        if (!isNew || outcome != std::optional(shown->pack.tasks[task].expect))
            continue;
        m_progress.solved(m_shownLesson, task);
        Q_EMIT toastRequested(tr("Solved: the program %1.").arg(word(*outcome)), nullptr);
    }
    keepProgress();
}

/// A question is asked before its line, not after: whoever plays stops there.
void LearnPage::pauseAtQuestion()
{
    const Lesson* shown = lesson();
    if (shown == nullptr || !m_player.canMove() || !m_player.isAtEnd() || m_player.size() == 0)
        return;
    const LessonStep& step = m_run->recording().step(m_player.position());
    const std::string& source = m_run->recording().started()->source;
    for (size_t i = 0; i < shown->pack.questions.size(); ++i) {
        const lesson::Question& question = shown->pack.questions[i];
        const bool isHere = step.kind == LessonStep::Kind::Line && !question.at.empty() &&
                            lesson::lineWith(source, question.at) == step.line;
        if (!isHere || m_questions->isPredicted(i) || m_questions->isAnswered(i))
            continue;
        m_questions->setCurrent(i);
        m_player.pause();
        return;
    }
}

void LearnPage::answered(size_t question, bool isRight)
{
    m_progress.answered(m_shownLesson, question, isRight);
    keepProgress();
}

void LearnPage::keepProgress()
{
    m_lessons.setProgress(m_progress);
    showText();
    inBackground(
        m_files, this, [progress = m_progress] { return progress.save(); },
        [this](const Result<void>& saved) {
            if (!saved)
                Q_EMIT toastRequested(text(saved.error()), nullptr);
        });
}

void LearnPage::showError(const Error& error)
{
    m_banner->show(Notice::Severity::Error, tr("The lesson does not run."), text(error), {});
    refresh();
}

QVariantMap LearnPage::saveState() const
{
    QVariantMap state = m_lessonsCard->saveState();
    state.insert(QStringLiteral("lesson"), QString::fromStdString(m_wantedLesson));
    state.insert(QStringLiteral("interpreter"), m_program->interpreter());
    state.insert(QStringLiteral("columns"), m_columns->saveState());
    return state;
}

void LearnPage::restoreState(const QVariantMap& state)
{
    chooseLesson(state.value(QStringLiteral("lesson")).toString().toStdString());
    m_lessonsCard->restoreState(state);
    m_program->setInterpreter(state.value(QStringLiteral("interpreter")).toString());
    m_columns->restoreState(state.value(QStringLiteral("columns")).toByteArray());
}

} // namespace ringmaster::app
