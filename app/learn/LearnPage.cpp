#include "app/learn/LearnPage.h"

#include "app/bridge/Background.h"
#include "app/bridge/Messages.h"
#include "app/learn/LearnHead.h"
#include "app/learn/LearnView.h"
#include "app/learn/LessonRunText.h"
#include "app/learn/LessonsCard.h"
#include "app/learn/MomentPanel.h"
#include "app/learn/ProgramCard.h"
#include "app/learn/ProgramEditor.h"
#include "app/learn/QuestionPanel.h"
#include "app/widget/Banner.h"
#include "app/widget/Translated.h"
#include "engine/lesson/Codes.h"

#include <QShortcut>
#include <QVBoxLayout>

namespace ringmaster::app {

PageDescription LearnPage::description()
{
    return {.key = QStringLiteral("learn"),
            .title = [] { return tr("Learn"); },
            .results = RunPurpose::Lesson,
            .make = makePage<LearnPage>};
}

LearnPage::LearnPage(EngineBridge& bridge, QWidget* parent)
    : Page(parent)
    , m_bridge(bridge)
    , m_view(new LearnView(m_lessons, m_player, this))
    , m_lesson(m_lessons, m_progress, m_player, *m_view)
    , m_notices(m_view->banner(), this)
    , m_lessonFiles(this)
    , m_writing(this)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view);
    connectControls();
    connectWriting();
    addKeys();
    translated(this, [this] { setTexts(); });
}

void LearnPage::connectControls()
{
    LearnHead& head = m_view->head();
    connect(&m_view->lessons(), &LessonsCard::chosen, this, [this, &head](int row) {
        head.setRow(row);
        showLesson(row);
    });
    connect(&head, &LearnHead::lessonChosen, &m_view->lessons(), &LessonsCard::setCurrent);
    connect(&head, &LearnHead::runWanted, this, &LearnPage::run);
    connect(&head, &LearnHead::faultWanted, &m_run, &ShownRun::inject);
    connect(&head, &LearnHead::lessonFileWanted, &m_lessonFiles, &LessonFiles::open);
    connect(&head, &LearnHead::recordedRunWanted, this, &Page::openRequested);
    connect(&head, &LearnHead::repeatWanted, this, &LearnPage::runAgainInOrder);
    connect(&head, &LearnHead::pictureWanted, this, [this] {
        m_lessonFiles.savePicture(m_view->moment(), QString::fromStdString(m_lesson.name()));
    });
    connect(&head, &LearnHead::answersWanted, this,
            [this] { m_lessonFiles.saveAnswers(m_progress.known(), m_lessons.questionCounts()); });
    connect(&head, &LearnHead::presentationWanted, this,
            [this] { setPresenting(!m_view->isPresenting()); });
    const auto takeMotion = [this, &head] { m_player.setStepTime(head.motion().stepTime()); };
    connect(&head.motion(), &MotionMenu::changed, this, takeMotion);
    takeMotion();
    connect(&m_view->program(), &ProgramCard::resetWanted, &m_lesson, &ShownLesson::resetProgram);
    connect(&m_player, &LessonPlayer::moved, this, &LearnPage::refresh);
    connect(&m_view->program().editor(), &ProgramEditor::rankChosen, &m_player,
            &LessonPlayer::stepRank);
    connect(&m_view->questions(), &QuestionPanel::answered, this,
            [this](size_t question, bool isRight) {
                m_progress.answered(m_lesson.name(), question, isRight);
            });
    const auto toast = [this](const QString& sentence) {
        Q_EMIT toastRequested(sentence, nullptr);
    };
    connect(&m_progress, &LearnProgress::changed, &m_lesson, &ShownLesson::showText);
    connect(&m_progress, &LearnProgress::told, this, toast);
    connect(&m_view->questions(), &QuestionPanel::answerTaken, m_view, &LearnView::focusMoment);
    connect(&m_view->questions(), &QuestionPanel::stepWanted, this, [this](size_t step) {
        m_player.pause();
        m_player.go(step);
    });
    connect(&m_run, &ShownRun::faultJudged, this, &LearnPage::faultJudged);
    connect(&m_run, &ShownRun::changed, this, &LearnPage::runChanged);
    connect(&m_run, &ShownRun::failed, this, &LearnPage::showError);
    connect(&m_run, &ShownRun::replaced, this, [this] {
        m_isRecordedLesson = false;
        m_trust.withdraw();
        m_view->questions().setRecording(nullptr, false);
    });
    connect(m_view, &LearnView::arranged, this, &LearnPage::refreshHead);
    connect(&m_lessonFiles, &LessonFiles::opened, this, &LearnPage::addLesson);
    connect(&m_lessonFiles, &LessonFiles::refused, &m_notices, &LearnNotices::fileRefused);
    connect(&m_lessonFiles, &LessonFiles::told, this, toast);
}

void LearnPage::connectWriting()
{
    LearnHead& head = m_view->head();
    connect(&head, &LearnHead::newLessonWanted, &m_writing, &LessonWriting::beginNew);
    connect(&head, &LearnHead::editFileWanted, &m_writing, &LessonWriting::open);
    connect(&head, &LearnHead::writingWanted, &m_writing, &LessonWriting::resume);
    connect(&head, &LearnHead::editWanted, this, [this] {
        if (const Lesson* shown = m_lesson.lesson())
            m_writing.edit(shown->file, shown->isOwn);
    });
    connect(&m_writing, &LessonWriting::shown, this, &LearnPage::showWriting);
    connect(&m_writing, &LessonWriting::told, this,
            [this](const QString& sentence) { Q_EMIT toastRequested(sentence, nullptr); });
    connect(&m_writing, &LessonWriting::runWanted, this,
            [this](const Lesson& written, bool isOwnWork) {
                addLesson(written);
                m_lesson.resetProgram();
                if (isOwnWork)
                    m_trust.trust(written);
                run();
            });
}

/// In the place of the lessons, whose keys do nothing meanwhile.
void LearnPage::showWriting(bool isShown)
{
    if (isShown && m_view->isPresenting())
        setPresenting(false);
    m_view->setVisible(!isShown);
    for (QShortcut* shortcut : findChildren<QShortcut*>(QString(), Qt::FindDirectChildrenOnly))
        shortcut->setEnabled(!isShown);
    m_view->head().setWriting(m_writing.hasLesson());
    if (!isShown)
        m_view->focusMoment();
}

void LearnPage::togglePlay()
{
    if (!m_writing.isShown())
        m_player.togglePlay();
}

void LearnPage::addKeys()
{
    const auto key = [this](const QKeySequence& sequence, std::function<void()> action) {
        auto* shortcut =
            new QShortcut(sequence, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, std::move(action));
    };
    key(Qt::Key_F11, [this] { setPresenting(!m_view->isPresenting()); });
    key(Qt::CTRL | Qt::Key_Return, [this] { run(); });
    key(Qt::Key_A, [this] { m_view->questions().focusAnswer(); });
    key(Qt::Key_F, [this] { m_view->head().openFaults(); });
}

LearnPage::~LearnPage()
{
    m_player.setRun(nullptr);
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
    };
    const auto read = [] {
        return Found{.lessons = ownLessons(), .progress = lesson::Progress::load()};
    };
    inBackground(m_files, this, read, [this](Found found) {
        m_lessons.setLessons(std::move(found.lessons));
        m_progress.set(std::move(found.progress));
        takeRecordedLesson();
        m_writing.recover();
        // What somebody has opened meanwhile stays; of a run the lesson may still have to come.
        if (!m_lesson.name().empty())
            m_view->lessons().setCurrent(m_lessons.rowOf(m_lesson.name()));
        else if (!m_run && m_lessons.rowCount() > 0)
            m_view->lessons().setCurrent(std::max(m_lessons.rowOf(m_wantedLesson), 0));
    });
}

void LearnPage::chooseLesson(const std::string& name)
{
    m_wantedLesson = name;
    if (const int row = m_lessons.rowOf(name); row >= 0)
        m_view->lessons().setCurrent(row);
}

void LearnPage::showLesson(int row)
{
    if (row < 0 || m_lessons.lessonAt(row).pack.name == m_lesson.name())
        return;
    m_run.close();
    const Lesson& shown = m_lessons.lessonAt(row);
    m_wantedLesson = shown.pack.name;
    m_notices.clear();
    m_lesson.show(row);
    if (shown.pack.recording) {
        // From its beginning on: where it ends, the answer stands.
        m_run.open(*shown.pack.recording);
        m_player.toStart();
        m_progress.ran(m_lesson.name());
        runChanged();
    }
    refresh();
}

void LearnPage::run()
{
    if (m_run.isBusy())
        return m_run->stop();
    start();
}

/// As the ranks were let go in the run that is shown: what came of it comes again.
void LearnPage::runAgainInOrder()
{
    if (m_run.isOver() && m_lesson.lesson() != nullptr && m_run->job() == nullptr)
        start(m_run->recording().order(m_run->startLine()));
}

void LearnPage::start(std::vector<int> order)
{
    const Lesson* shown = m_lesson.lesson();
    if (shown == nullptr || shown->pack.recording)
        return;
    const LessonProgram program = m_view->program().program();
    // What was asked about is what runs.
    const LessonRun::Setting setting{.pack = shown->pack,
                                     .packFile = shown->file,
                                     .source = program.text,
                                     .ranks = m_view->head().ranks(),
                                     .backend = m_view->head().backend(),
                                     .interpreter = m_view->program().interpreter().toStdString(),
                                     .order = std::move(order)};
    m_trust.ask(*shown, program, [this, setting] {
        m_notices.clear();
        m_view->questions().forget();
        m_run.start(setting);
        m_view->focusMoment();
    });
}

void LearnPage::openRun(const std::string& run)
{
    if (m_run.isRun(run))
        return;
    if (m_writing.isShown())
        m_writing.setShown(false);
    m_notices.clear();
    m_run.open(run);
    m_isRecordedLesson = true;
}

/// The text, the program and the questions of a recording are in it.
void LearnPage::takeRecordedLesson()
{
    if (!m_isRecordedLesson || !m_run || !m_run->recording().started() || m_lessons.rowCount() == 0)
        return;
    m_isRecordedLesson = false;
    const LessonStarted started = *m_run->recording().started();
    Lesson recorded = recordedLesson(started);
    int row = m_lessons.rowOf(recorded.pack.name);
    if (row < 0)
        row = m_lessons.add(std::move(recorded));
    auto run = m_run.take();
    m_lesson.forget();
    showLesson(row);
    m_view->lessons().setCurrent(row);
    m_lesson.showRecorded(started.source);
    m_view->head().choose(started.ranks, started.backend);
    m_run.replace(std::move(run));
    runChanged();
}

void LearnPage::runChanged()
{
    if (!m_run)
        return;
    takeRecordedLesson();
    if (m_run.hasJustEnded())
        runOver();
    m_view->questions().setRecording(&m_run->recording(), m_run.isOver());
    m_run.judgeFaults();
    // A question is asked before its line, not after: whoever plays stops there, once.
    if (m_player.canMove() && m_player.isFollowing() && m_lesson.offerQuestion(m_run->recording()))
        m_player.pause();
    refreshHead();
}

void LearnPage::runOver()
{
    m_notices.runOver(*m_run.get());
    const Lesson* shown = m_lesson.lesson();
    const lesson::Recording& recording = m_run->recording();
    if (shown == nullptr || !m_run->isOwn() || recording.isEmpty())
        return;
    m_progress.ran(*shown, recording);
}

void LearnPage::showError(const Error& error)
{
    if (m_run && !m_run->isOwn())
        m_notices.runUnreadable(error);
    else
        m_notices.runFailed(error);
    refresh();
}

/// One moment, everywhere: at most once a frame, because that is how often events come.
void LearnPage::refresh()
{
    m_view->moment().refresh(
        m_run ? statusText(m_run.get())
              : tr("Run starts the program on real processes and holds them before "
                   "their first line. Then you let them go: all together, or one by "
                   "one, in the order that you choose."));
    m_view->program().show(m_player);
    if (m_player.isAtEnd())
        m_notices.adviseOnTorch(m_player.state());
    refreshHead();
}

void LearnPage::refreshHead()
{
    const Lesson* shown = m_lesson.lesson();
    m_view->refreshHead(statusText(m_run.get()), shown != nullptr && !shown->pack.recording,
                        m_run.isBusy());
}

void LearnPage::faultJudged(const QString& headline, const QString& told,
                            std::optional<size_t> wrongAt)
{
    m_notices.faultJudged(headline, told);
    if (!wrongAt)
        return;
    m_player.pause();
    m_player.go(*wrongAt);
}

void LearnPage::setPresenting(bool isOn)
{
    m_view->setPresenting(isOn);
    Q_EMIT presentationRequested(isOn);
}

void LearnPage::addLesson(const Lesson& lesson)
{
    const int row = m_lessons.add(lesson);
    m_lesson.forget();
    m_view->lessons().setCurrent(row);
    showLesson(row);
}

bool LearnPage::isUnsaved() const
{
    return m_writing.isUnsaved();
}

void LearnPage::whenSaved(std::function<void()> then)
{
    m_writing.whenSaved(std::move(then));
}

QVariantMap LearnPage::saveState() const
{
    QVariantMap state = m_view->saveState();
    state.insert(QStringLiteral("lesson"), QString::fromStdString(m_wantedLesson));
    return state;
}

void LearnPage::restoreState(const QVariantMap& state)
{
    chooseLesson(state.value(QStringLiteral("lesson")).toString().toStdString());
    m_view->restoreState(state);
}

void LearnPage::setTexts()
{
    if (m_lesson.lesson() == nullptr)
        m_view->head().setTitle(description().title());
    m_lesson.showText();
    refresh();
}

} // namespace ringmaster::app
