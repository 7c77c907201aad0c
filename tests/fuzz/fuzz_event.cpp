// An agent, or a run file that somebody sent, tells of an event. What is accepted is written as an
// event that is read as the same; what isn't can be shown as a notice; and the state of a run stays
// bounded, whatever its events say.

#include "Fuzz.h"
#include "engine/event/Proto.h"

#include <google/protobuf/stubs/logging.h>
#include <ringmaster.pb.h>

using namespace ringmaster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const google::protobuf::LogSilencer silencer;
    v1::Event told;
    if (!told.ParseFromArray(data, static_cast<int>(size)))
        return 0;
    const Result<Event> event = fromProtoOrNotice(told);
    if (!event) {
        fuzz::require(!describe(event.error()).empty());
        return 0;
    }
    v1::Event written;
    toProto(*event, written);
    const Result<Event> again = fromProto(written);
    fuzz::require(again && *again == *event);

    RunSnapshot snapshot;
    snapshot.apply(*event);
    snapshot.apply(*event);
    v1::RunSnapshot state;
    toProto(snapshot, state);
    const Result<RunSnapshot> read = fromProto(state);
    fuzz::require(read && *read == snapshot);
    return 0;
}
