#include "app/learn/LearnPage.h"
#include "app/learn/LessonPicture.h"
#include "tests/app/RealDashboard.h"
#include "tests/bench/MeasuringApplication.h"
#include "tests/support/TorchInterpreter.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QTimer>

#include <functional>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

constexpr int Patience = 180'000;

/// Counts how often the picture has been painted, and how often while `isWanted` held: in one turn
/// of the loop a state may come and be painted.
class PaintWatch : public QObject
{
public:
    explicit PaintWatch(QWidget& picture) : QObject(&picture) { picture.installEventFilter(this); }
    int paints = 0;
    int wantedPaints = 0;
    std::function<bool()> isWanted{};

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Paint) {
            ++paints;
            wantedPaints += isWanted && isWanted();
        }
        return false;
    }
};

/// The Learn page of a real dashboard, as a learner uses it.
class Learner
{
public:
    Learner()
        : m_page(*m_dashboard.window.findChild<LearnPage*>())
        , m_picture(*m_page.findChild<LessonPicture*>())
        , m_watch(new PaintWatch(m_picture))
    {
        m_dashboard.window.resize(1280, 800);
        m_dashboard.window.show();
        (void)QTest::qWaitForWindowActive(&m_dashboard.window);
        QTest::keyClick(&m_dashboard.window, Qt::Key_3, Qt::ControlModifier);
        wait("lessons", [this] { return m_page.lessons().rowCount() > 0; });
        player().setStepTime(std::chrono::milliseconds(0));
        field<QComboBox>("Interpreter")->setEditText(ringmaster::test::torchInterpreter());
    }

    LessonPlayer& player() { return m_page.player(); }

    /// Milliseconds from the click on Run to the first picture, and until all ranks are in it.
    std::pair<double, double> run(const char* lesson, int ranks)
    {
        m_page.chooseLesson(lesson);
        field<QSpinBox>("Ranks")->setValue(ranks);
        QElapsedTimer clock;
        clock.start();
        click("Run");
        wait("first step", [this] { return player().size() > 0; });
        const int before = m_watch->paints;
        wait("picture", [&] { return m_watch->paints > before; });
        const double first = msOf(clock);
        wait("arrival of all ranks", [&] { return player().run()->arrived() == ranks; });
        return {first, msOf(clock)};
    }

    /// Until every rank stands at the line from which the lesson is stepped.
    void toStart(int ranks)
    {
        wait("first line of the lesson", [&] {
            const int line = player().run()->startLine();
            for (int rank = 0; rank < ranks; ++rank)
                if (player().state().rank(rank).line != line)
                    return false;
            return true;
        });
    }

    /// Milliseconds from the key press until a picture that shows every rank held again, and of the
    /// GUI thread's processor time in these.
    std::pair<double, double> step(int ranks)
    {
        m_picture.setFocus();
        const size_t before = player().size();
        m_watch->wantedPaints = 0;
        m_watch->isWanted = [this, before, ranks] {
            bool isHeld = player().size() > before;
            for (int rank = 0; rank < ranks; ++rank)
                isHeld = isHeld && !player().run()->isBusy(rank);
            return isHeld;
        };
        const double cpuBefore = threadCpuMs();
        QElapsedTimer clock;
        clock.start();
        QTest::keyClick(&m_dashboard.window, Qt::Key_Right);
        wait("picture of the step", [this] { return m_watch->wantedPaints > 0; });
        m_watch->isWanted = {};
        return {msOf(clock), threadCpuMs() - cpuBefore};
    }

    /// While what a step did is shown: frames a second, and milliseconds of the GUI thread's
    /// processor time that each takes, however busy the machine is.
    std::pair<double, double> framesInMotion()
    {
        player().setStepTime(std::chrono::milliseconds(300));
        m_picture.setFocus();
        QTest::keyClick(&m_dashboard.window, Qt::Key_Right);
        wait("motion", [this] { return player().isInMotion(); });
        const int before = m_watch->paints;
        const double cpuBefore = threadCpuMs();
        QElapsedTimer clock;
        clock.start();
        wait("end of the motion", [this] { return !player().isInMotion(); });
        const double frames = m_watch->paints - before;
        const std::pair result(frames * 1000 / msOf(clock), (threadCpuMs() - cpuBefore) / frames);
        player().setStepTime(std::chrono::milliseconds(0));
        return result;
    }

    void play()
    {
        player().setStepsASecond(20);
        wait("end of the run", [this] {
            // It stops at questions.
            if (!player().isPlaying() && player().canMove())
                QTest::keyClick(&m_dashboard.window, Qt::Key_Space);
            return player().run()->phase() == LessonRun::Phase::Over;
        });
    }

    void stop()
    {
        if (player().run()->phase() != LessonRun::Phase::Over)
            click("Stop");
        wait("end of the run",
             [this] { return player().run()->phase() == LessonRun::Phase::Over; });
    }

private:
    static double msOf(const QElapsedTimer& clock)
    {
        return static_cast<double>(clock.nsecsElapsed()) / 1e6;
    }

    template <class Claim>
    static void wait(const char* what, const Claim& claim)
    {
        QElapsedTimer clock;
        clock.start();
        // Sleeps in between: the workers want the processors, too.
        QTimer tick;
        tick.start(2);
        while (!claim()) {
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            if (clock.elapsed() > Patience)
                qFatal("no %s within %d s", what, Patience / 1000);
        }
    }

    template <class W>
    W* field(const char* name)
    {
        for (W* widget : m_page.findChildren<W*>())
            if (widget->accessibleName() == QLatin1String(name))
                return widget;
        return nullptr;
    }

    void click(const char* text)
    {
        for (QPushButton* button : m_page.findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == QLatin1String(text))
                QTest::mouseClick(button, Qt::LeftButton);
    }

    RealDashboard m_dashboard;
    LearnPage& m_page;
    LessonPicture& m_picture;
    PaintWatch* m_watch;
};

void print(const char* what, std::vector<double> values, const char* unit = "ms")
{
    std::ranges::sort(values);
    std::printf("%-46s median %7.1f %s   least %7.1f   most %7.1f   (%zu)\n", what,
                values[values.size() / 2], unit, values.front(), values.back(), values.size());
}

} // namespace

int main(int argc, char** argv)
{
    if (ringmaster::test::torchInterpreter().isEmpty()) {
        std::puts("bench_learn: no interpreter with torch");
        return 2;
    }
    MeasuringApplication application(argc, argv);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
    Learner learner;

    std::printf("first run, which may be cold: %.0f ms to the first picture\n",
                learner.run("all-reduce", 4).first);
    learner.stop();
    std::vector<double> first;
    std::vector<double> allThere;
    std::vector<double> steps;
    std::vector<double> stepCosts;
    std::vector<double> frames;
    std::vector<double> frameCosts;
    for (int round = 0; round < rounds; ++round) {
        const auto [firstPicture, whole] = learner.run("all-reduce", 4);
        first.push_back(firstPicture);
        allThere.push_back(whole);
        learner.toStart(4);
        // Two lines of plain Python, from the lesson's first line on, and a collective.
        for (int step = 0; step < 3; ++step) {
            const auto [all, cpu] = learner.step(4);
            steps.push_back(all);
            stepCosts.push_back(cpu);
        }
        learner.stop();
        (void)learner.run("all-reduce", 4);
        learner.toStart(4);
        for (int step = 0; step < 3; ++step) {
            const auto [perSecond, cpu] = learner.framesInMotion();
            frames.push_back(perSecond);
            frameCosts.push_back(cpu);
        }
        learner.stop();
    }
    print("Run to first picture, 4 ranks (< 1000)", first);
    print("Run to all ranks' picture, 4 ranks", allThere);
    print("key to picture, 4 ranks (< 50)", steps);
    print("GUI thread in this", stepCosts);
    print("in motion, 4 ranks (60)", frames, "frames/s");
    print("GUI thread a frame in motion (< 16.7)", frameCosts);

    (void)learner.run("ring-all-reduce", 8);
    learner.toStart(8);
    application.isMeasuring = true;
    learner.play();
    application.isMeasuring = false;
    std::puts("playing with 8 ranks, 20 steps a second (99 % under 16 ms):");
    application.report();
    return 0;
}
