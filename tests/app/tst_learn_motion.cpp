#include "app/learn/LearnPage.h"
#include "app/learn/LessonPicture.h"
#include "app/learn/MotionMenu.h"
#include "tests/app/LearnTest.h"
#include "tests/lesson/Steps.h"

#include <QSlider>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;
using namespace std::chrono_literals;
using ringmaster::test::CallSetting;
using ringmaster::test::callStep;
using ringmaster::test::lineStep;
using ringmaster::test::tensorOf;

namespace {

constexpr auto Slow = 60'000ms;

} // namespace

/// What has happened between two looks is shown in its order, and what it moves on its way.
class tst_learn_motion : public LearnTest
{
    Q_OBJECT

private Q_SLOTS:
    void stepsAreShownOneAfterTheOther()
    {
        const auto start = StepMotion::Clock::time_point() + 1h;
        const StepMotion motion(300ms, 4, 7, start);
        const auto isAt = [&](std::chrono::milliseconds when, size_t step, double progress) {
            const StepMotion::Place place = motion.at(start + when);
            return place.step == step && std::abs(place.progress - progress) < 1e-6;
        };
        QVERIFY(isAt(0ms, 5, 0));
        QVERIFY(isAt(150ms, 5, 0.5));
        QVERIFY(isAt(375ms, 6, 0.25));
        QVERIFY(isAt(840ms, 7, 0.8));
        QVERIFY(!motion.isOver(start + 840ms));
        QVERIFY(isAt(900ms, 7, 1));
        QVERIFY(motion.isOver(start + 900ms));
    }

    void manyStepsTakeNoLongerThanAFewSeconds()
    {
        const auto start = StepMotion::Clock::time_point() + 1h;
        const StepMotion motion(300ms, 0, 1000, start);
        QVERIFY(!motion.isOver(start + StepMotion::Longest - 5ms));
        QVERIFY(motion.isOver(start + StepMotion::Longest + 5ms));
        QCOMPARE(motion.at(start + StepMotion::Longest / 2).step, size_t(501));
    }

    void whatComesMeanwhileFollows()
    {
        const auto start = StepMotion::Clock::time_point() + 1h;
        StepMotion motion(300ms, 0, 2, start);
        motion.extend(5, start + 450ms);
        const StepMotion::Place now = motion.at(start + 450ms);
        QCOMPARE(now.step, size_t(2));
        QVERIFY(std::abs(now.progress - 0.5) < 1e-6);
        QCOMPARE(motion.at(start + 610ms).step, size_t(3));
        QVERIFY(!motion.isOver(start + 1490ms));
        QVERIFY(motion.isOver(start + 1510ms));
        // All is shown: what comes then begins then.
        motion.extend(6, start + 10s);
        QCOMPARE(motion.at(start + 10s).step, size_t(6));
        QVERIFY(!motion.isOver(start + 10s));
    }

    void withoutAnyTimeAllIsThereAtOnce()
    {
        const auto start = StepMotion::Clock::time_point() + 1h;
        const StepMotion motion(0ms, 0, 9, start);
        QVERIFY(motion.isOver(start));
        QCOMPARE(motion.at(start).step, size_t(9));
    }

    void afterAStepTheMomentsAreShownInTheirOrder()
    {
        QVERIFY(begin());
        std::vector<size_t> shown;
        QObject watch;
        connect(&player(), &LessonPlayer::moved, &watch, [&] {
            if (shown.empty() || shown.back() != player().position())
                shown.push_back(player().position());
        });
        player().setStepTime(300ms);
        press(Qt::Key_Right);
        publish(messageSteps());
        QTRY_COMPARE(player().size(), size_t(6));
        QTRY_VERIFY(player().isAtEnd() && !player().isInMotion());
        QCOMPARE(player().progress(), 1.0);
        QVERIFY(std::ranges::is_sorted(shown));
        QVERIFY(std::ranges::find(shown, size_t(2)) != shown.end());
        QCOMPARE(shown.back(), size_t(5));
    }

    void aFurtherStepJumpsToTheNewestMoment()
    {
        QVERIFY(begin());
        player().setStepTime(Slow);
        press(Qt::Key_Right);
        // To the first line, and then the step.
        constexpr size_t Moves = 2;
        QTRY_COMPARE(sentMoves(), Moves);
        bool wasInMotion = false;
        QObject watch;
        connect(&player(), &LessonPlayer::moved, &watch, [&] {
            if (player().isInMotion() && !std::exchange(wasInMotion, true))
                player().forward();
        });
        publish(messageSteps());
        QTRY_VERIFY(wasInMotion);
        QVERIFY(player().isAtEnd());
        QVERIFY(!player().isInMotion());
        m_dashboard->cluster.settle();
        QCOMPARE(sentMoves(), Moves);
    }

    void theSliderIsDraggedOutOfTheMotion()
    {
        QVERIFY(begin());
        player().setStepTime(Slow);
        press(Qt::Key_Right);
        auto* slider = m_dashboard->find<QSlider>(QStringLiteral("Step of the recording"));
        bool wasInMotion = false;
        QObject watch;
        connect(&player(), &LessonPlayer::moved, &watch, [&] {
            if (player().isInMotion() && !std::exchange(wasInMotion, true))
                player().go(1);
        });
        publish(messageSteps());
        QTRY_VERIFY(wasInMotion);
        QVERIFY(!player().isInMotion());
        QCOMPARE(player().position(), size_t(1));
        slider->setValue(3);
        QCOMPARE(player().position(), size_t(3));
        // What comes then is no reason to go away from there.
        publish({lineStep(1, 11)});
        QTRY_COMPARE(player().size(), size_t(7));
        QCOMPARE(player().position(), size_t(3));
    }

    void whatRunsOnIsNotShownInMotion()
    {
        QVERIFY(begin());
        player().setStepTime(Slow);
        press(Qt::Key_E);
        publish(messageSteps());
        QTRY_COMPARE(player().size(), size_t(6));
        QVERIFY(player().isAtEnd());
        QVERIFY(!player().isInMotion());
    }

    void aMessageGoesFromBufferToBuffer()
    {
        QVERIFY(begin());
        publish(messageSteps());
        QTRY_COMPARE(player().size(), size_t(6));
        // Sent, and on its way until it is received.
        player().go(4);
        QTRY_COMPARE(picture()->drawing().travels().travels().size(), size_t(1));
        const ScenePainter& sent = picture()->drawing();
        const SceneTravels::Travel out = sent.travels().travels().front();
        QCOMPARE(out.value, QStringLiteral("[2.0, 3.0]"));
        QVERIFY(sent.layout()
                    .cellOf(0, QStringLiteral("outgoing"))
                    .contains(SceneTravels::placeOf(out, 0)));
        const QPointF inFlight = SceneTravels::placeOf(out, 1);
        QVERIFY(sent.layout().rankAt(inFlight) < 0);
        // Received: from there into the buffer, which has its old value until then.
        player().go(5);
        QTRY_COMPARE(scene().links.front().kind, LessonScene::Link::Kind::Delivered);
        const ScenePainter& taken = picture()->drawing();
        QCOMPARE(taken.travels().travels().size(), size_t(1));
        const SceneTravels::Travel in = taken.travels().travels().front();
        QVERIFY(QLineF(SceneTravels::placeOf(in, 0), inFlight).length() < 2);
        QVERIFY(taken.layout()
                    .cellOf(1, QStringLiteral("incoming"))
                    .contains(SceneTravels::placeOf(in, 1)));
        picture()->setProgress(0.5);
        const QStringList* before = picture()->progress().elementsOf(1, QStringLiteral("incoming"));
        QVERIFY(before != nullptr);
        QCOMPARE(*before, (QStringList{QStringLiteral("0.0"), QStringLiteral("0.0")}));
        picture()->setProgress(1);
        QVERIFY(picture()->progress().elementsOf(1, QStringLiteral("incoming")) == nullptr);
    }

    void whatARankBringsToACollectiveGoesThere()
    {
        QVERIFY(m_learn->launch());
        const CallSetting reduce{.operation = "all_reduce",
                                 .inputs = {tensorOf("t", {"2.0"})},
                                 .outputs = {tensorOf("t", {"5.0"})},
                                 .reduction = "SUM"};
        publish({attemptOf(2), lineStep(0, 9, {tensorOf("t", {"2.0"})}),
                 lineStep(1, 9, {tensorOf("t", {"3.0"})}), callStep(0, 1, reduce),
                 callStep(1, 1, reduce), callStep(0, 1, reduce, LessonStep::Kind::Return)});
        QTRY_COMPARE(player().size(), size_t(5));
        player().go(2);
        QTRY_COMPARE(picture()->drawing().travels().travels().size(), size_t(1));
        const ScenePainter& comes = picture()->drawing();
        const SceneTravels::Travel in = comes.travels().travels().front();
        QCOMPARE(in.value, QStringLiteral("[2.0]"));
        QVERIFY(
            comes.layout().cellOf(0, QStringLiteral("t")).contains(SceneTravels::placeOf(in, 0)));
        QVERIFY(
            comes.links().hubOf(0).adjusted(-2, -2, 2, 2).contains(SceneTravels::placeOf(in, 1)));
        player().go(4);
        QTRY_COMPARE(picture()->drawing().travels().travels().size(), size_t(1));
        const ScenePainter& goes = picture()->drawing();
        const SceneTravels::Travel out = goes.travels().travels().front();
        QCOMPARE(out.value, QStringLiteral("[5.0]"));
        QVERIFY(
            goes.layout().cellOf(0, QStringLiteral("t")).contains(SceneTravels::placeOf(out, 1)));
    }

    void theMotionIsSetInTheMenuAndByTheDesktop()
    {
        auto& menu = *m_page->findChild<MotionMenu*>();
        Q_EMIT menu.changed();
        QCOMPARE(player().stepTime(), 300ms);
        DesktopMotion& desktop = menu.desktop();
        desktop.take(QStringLiteral("org.gnome.desktop.interface"),
                     QStringLiteral("enable-animations"), false);
        QCOMPARE(player().stepTime(), 0ms);
        desktop.take(QStringLiteral("org.gnome.desktop.interface"),
                     QStringLiteral("enable-animations"), true);
        QCOMPARE(player().stepTime(), 300ms);
        desktop.take(QStringLiteral("org.kde.kdeglobals.KDE"),
                     QStringLiteral("AnimationDurationFactor"), QStringLiteral("0"));
        QCOMPARE(player().stepTime(), 0ms);
        // Who chooses a time has it whatever the desktop says.
        menu.choose(600);
        QCOMPARE(player().stepTime(), 600ms);
        QCOMPARE(m_page->saveState().value(QStringLiteral("motion")).toInt(), 600);
        menu.choose(0);
        QCOMPARE(player().stepTime(), 0ms);
        menu.choose(-1);
        desktop.take(QStringLiteral("org.kde.kdeglobals.KDE"),
                     QStringLiteral("AnimationDurationFactor"), QStringLiteral("1.0"));
        desktop.take(QStringLiteral("org.freedesktop.appearance"), QStringLiteral("reduced-motion"),
                     1u);
        QCOMPARE(player().stepTime(), 0ms);
    }

private:
    LessonPlayer& player() { return m_page->player(); }
    LessonPicture* picture() { return m_page->findChild<LessonPicture*>(); }
    void press(Qt::Key key) { m_learn->press(key); }

    /// Two ranks stand at a line.
    bool begin()
    {
        if (!m_learn->launch())
            return false;
        publish({attemptOf(2), lineStep(0, 9, {tensorOf("outgoing", {"2.0", "3.0"})}),
                 lineStep(1, 9, {tensorOf("incoming", {"0.0", "0.0"})})});
        return QTest::qWaitFor([this] { return player().size() == 2; }, LearnWindow::Patience);
    }

    /// Rank 1 has asked for what rank 0 sends then.
    std::vector<EventBody> messageSteps() const
    {
        const CallSetting send{
            .operation = "send", .peer = 1, .inputs = {tensorOf("outgoing", {"2.0", "3.0"})}};
        CallSetting receive{.operation = "irecv",
                            .peer = 0,
                            .isAsync = true,
                            .outputs = {tensorOf("incoming", {})}};
        CallSetting wait{.operation = "wait",
                         .peer = 0,
                         .waitsFor = 1,
                         .outputs = {tensorOf("incoming", {"2.0", "3.0"})}};
        return {callStep(1, 1, receive), callStep(1, 1, receive, LessonStep::Kind::Return),
                callStep(0, 1, send), callStep(1, 2, wait, LessonStep::Kind::Return)};
    }

    size_t sentMoves() const
    {
        size_t moves = 0;
        for (const auto& [run, command] : m_dashboard->cluster.commands())
            moves += std::holds_alternative<MoveLesson>(command);
        return moves;
    }
};

QTEST_MAIN(tst_learn_motion)
#include "tst_learn_motion.moc"
