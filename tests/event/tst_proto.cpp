#include "engine/base/Codes.h"
#include "engine/event/Codes.h"
#include "engine/event/Proto.h"
#include "tests/event/EventSamples.h"

#include <QtTest>

#include <cmath>

#include <ringmaster.pb.h>

using namespace ringmaster;

class tst_proto : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knowsASampleOfEveryKind()
    {
        const auto bodies = samples::everyBody();
        QCOMPARE(bodies.size(), std::variant_size_v<EventBody>);
        for (size_t kind = 0; kind < bodies.size(); ++kind)
            QCOMPARE(bodies[kind].index(), kind);
        // The variants stand in the order of the contract's numbers.
        QCOMPARE(v1::EventBody::descriptor()->oneof_decl(0)->field_count(),
                 static_cast<int>(std::variant_size_v<EventBody>));
        QCOMPARE(v1::Command::descriptor()->oneof_decl(0)->field_count(),
                 static_cast<int>(std::variant_size_v<Command>));
    }

    void bringsEveryKindThroughUnchanged()
    {
        for (const EventBody& body : samples::everyBody()) {
            const Event event = samples::event(7, body);
            v1::Event sent;
            toProto(event, sent);
            v1::Event received;
            QVERIFY(received.ParseFromString(sent.SerializeAsString()));
            const auto back = fromProto(received);
            QVERIFY2(back.has_value(), back ? "" : describe(back.error()).c_str());
            QVERIFY(*back == event);
            QCOMPARE(static_cast<int>(received.body().kind_case()), kindOf(body));
            QVERIFY(parseEventBody(serialize(body)).value() == body);
        }
    }

    void bringsEveryKindThroughAtItsDefaults()
    {
        const auto check = [](const EventBody& body) {
            const auto back = parseEventBody(serialize(body));
            QVERIFY(back.has_value());
            QVERIFY(*back == body);
        };
        check(RunStarted{});
        check(RunStateChanged{});
        check(RendezvousStep{});
        check(AttemptStarted{});
        check(WorkerStateChanged{});
        check(WorkerExited{});
        check(GroupRestarting{});
        check(FirstCause{});
        check(ProcessSample{});
        check(Notice{});
        check(SweepPlan{});
        check(SweepRow{});
        check(LessonStarted{});
        check(LessonStep{});
    }

    void bringsEveryCodeThrough()
    {
        for (const Code code : allCodes()) {
            const Message message{code, {{"a", "b"}}, "d"};
            v1::Message sent;
            toProto(message, sent);
            QVERIFY2(fromProto(sent) == message, std::string(codeName(code)).c_str());
        }
    }

    void keepsACodeThatOnlyANewerVersionKnows()
    {
        v1::Message sent;
        sent.set_code("SomethingNew");
        (*sent.mutable_parameters())["rank"] = "3";
        const Message received = fromProto(sent);
        QVERIFY(received.code == code::NewerStatement);
        QVERIFY(describe(received).find("SomethingNew") != std::string::npos);
        v1::Message again;
        toProto(received, again);
        QCOMPARE(again.SerializeAsString(), sent.SerializeAsString());
    }

    void replacesAKindThatOnlyANewerVersionKnows()
    {
        // Field 99 of the body, a message with one field.
        v1::Event sent;
        toProto(samples::event(3, Notice{}), sent);
        const std::string body("\x9A\x06\x02\x08\x01", 5);
        QVERIFY(sent.mutable_body()->ParseFromString(body));

        QVERIFY(fromProto(sent).error().code == code::NewerEvent);
        QVERIFY(parseEventBody(body).error().code == code::NewerEvent);
        const auto standIn = fromProtoOrNotice(sent);
        QVERIFY(standIn.has_value());
        QCOMPARE(standIn->runSequence, std::uint64_t(3));
        QVERIFY(std::get<Notice>(standIn->body).message.code == code::NewerEvent);
    }

    void refusesEnumerationsOutOfRange()
    {
        v1::EventBody sent;
        sent.mutable_run_state_changed()->set_state(static_cast<v1::RunState>(1000));
        QVERIFY(fromProto(sent).error().code == code::NewerEvent);
        sent.mutable_run_state_changed()->set_state(static_cast<v1::RunState>(-5));
        QVERIFY(fromProto(sent).error().code == code::MalformedMessage);
        sent.mutable_worker_state_changed();
        QVERIFY(fromProto(sent).error().code == code::MalformedMessage);
        sent.mutable_rendezvous_step()->set_step(static_cast<v1::RendezvousStep::Step>(6));
        QVERIFY(fromProto(sent).error().code == code::NewerEvent);
        sent.mutable_notice();
        QVERIFY(fromProto(sent).error().code == code::MalformedMessage);
    }

    void refusesWhatIsNoEvent()
    {
        QVERIFY(fromProto(v1::Event()).error().code == code::MalformedMessage);
        QVERIFY(fromProtoOrNotice(v1::Event()).error().code == code::MalformedMessage);
        QVERIFY(parseEventBody("").error().code == code::MalformedMessage);
        const std::string whole = serialize(samples::everyBody()[5]);
        for (size_t length = 0; length < whole.size(); ++length) {
            // A cut may fall between two fields, where it can't be seen.
            const auto cut = parseEventBody(whole.substr(0, length));
            QVERIFY(cut || cut.error().code == code::MalformedMessage);
        }
    }

    void bringsCommandsThrough()
    {
        for (const Command& command :
             {Command(StopRun{true}), Command(RestartGroup{}), Command(SignalWorker{3, 15}),
              Command(MoveLesson{MoveLesson::Move::ToLine, {2, 0}, 2.5, 7}),
              Command(InjectFault{InjectFault::Kind::Delay, 3, std::chrono::seconds(2)}),
              Command(
                  BeginRound{7, 2, 1, 1, 3, 6, {{"trainer", 2, 1, 6}}, "job", "10.0.0.1", 4711}),
              Command(LeaveRound{7, true, samples::message()}),
              Command(CloseRendezvous{true, samples::message()}),
              Command(BeginDrill{BeginDrill::Kind::Slow, 2, std::chrono::seconds(30),
                                 std::chrono::minutes(1), "ada", ""}),
              Command(BeginDrill{.kind = BeginDrill::Kind::CutHost,
              .duration = std::chrono::seconds(15),
              .host = "gpu2"})}) {
            v1::Command sent;
            toProto(command, sent);
            QVERIFY(fromProto(sent).value() == command);
        }
        QVERIFY(fromProto(v1::Command()).error().code == code::MalformedMessage);
    }

    void refusesNumbersThatAreNone()
    {
        for (const double number : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
            v1::Command move;
            toProto(Command(MoveLesson{.stepsASecond = number}), move);
            QVERIFY(fromProto(move).error().code == code::MalformedMessage);
            for (const EventBody& body :
                 {EventBody(ProcessSample{.cpuFraction = number}),
                  EventBody(SweepRow{.busBandwidth = number}),
                  EventBody(DeviceSample{.network = {.received = number}}),
                  EventBody(DeviceSample{.gpus = {{.utilisation = number}}})}) {
                v1::Event sent;
                toProto(samples::event(7, body), sent);
                QVERIFY(fromProto(sent).error().code == code::MalformedMessage);
            }
        }
    }

    void bringsAnErrorWithItsContextThrough()
    {
        const Error error = Error{samples::message(), {}}.during(code::TimedOut, {{"what", "x"}});
        QVERIFY(parseError(serialize(error)).value() == error);
        QVERIFY(!parseError("\xFF\xFF"));
    }

    void bringsASnapshotThrough()
    {
        RunSnapshot snapshot;
        std::uint64_t sequence = 0;
        for (const EventBody& body : samples::everyBody())
            snapshot.apply(samples::event(++sequence, body));
        v1::RunSnapshot sent;
        toProto(snapshot, sent);
        QVERIFY(fromProto(sent).value() == snapshot);

        v1::RunSnapshot empty;
        toProto(RunSnapshot{}, empty);
        QVERIFY(fromProto(empty).value() == RunSnapshot{});
    }
};

QTEST_GUILESS_MAIN(tst_proto)
#include "tst_proto.moc"
