// What a lead and its agents say to each other besides events: the order that a channel begins
// with, commands, logs, operations and states of ranks. What is accepted is written as something
// that is read as the same. The first byte says what it is.

#include "ProtoRoundTrip.h"
#include "engine/control/OperationProto.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/node/AgentChannel.h"

#include <google/protobuf/stubs/logging.h>
#include <ringmaster.pb.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace ringmaster;

namespace {

/// For an agent's standard input.
void checkOrder(std::string_view bytes)
{
    static const int file = ::memfd_create("channel", MFD_CLOEXEC);
    fuzz::require(::ftruncate(file, 0) == 0 && ::lseek(file, 0, SEEK_SET) == 0);
    fuzz::require(::write(file, bytes.data(), bytes.size()) == ssize_t(bytes.size()));
    fuzz::require(::lseek(file, 0, SEEK_SET) == 0);
    const Result<AgentLaunchRequest> order = receiveLaunchRequest(file);
    if (!order)
        return;
    const Result<AgentLaunchRequest> again = parseLaunchRequest(serialize(*order));
    fuzz::require(again && *again == *order);
}

void checkLogQuery(std::string_view bytes)
{
    v1::LogQuery told;
    if (!told.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return;
    const Result<LogQuery> read = fromProto(told);
    if (!read)
        return;
    v1::LogQuery written;
    toProto(*read, written);
    v1::LogQuery again;
    toProto(fromProto(written).value(), again);
    fuzz::require(again.SerializeAsString() == written.SerializeAsString());
}

void checkRanks(std::string_view bytes)
{
    v1::RankActivities told;
    if (!told.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return;
    const auto read = fromProto(told);
    if (!read)
        return;
    v1::RankActivities written;
    toProto(*read, written);
    const auto again = fromProto(written);
    fuzz::require(again && again->size() == read->size());
    for (std::size_t rank = 0; rank < read->size(); ++rank)
        fuzz::require((*again)[rank].now == (*read)[rank].now &&
                      (*again)[rank].process.stack.has_value() ==
                          (*read)[rank].process.stack.has_value());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const google::protobuf::LogSilencer silencer;
    fuzz::Input input(data, size);
    const auto kind = input.number<std::uint8_t>() % 6;
    const std::string_view bytes = input.text(size);
    switch (kind) {
    case 0: checkOrder(bytes); break;
    case 1:
        checkOrder("RINGMASTER-ORDER/1 " + std::to_string(bytes.size()) + "\n" +
                   std::string(bytes));
        break;
    case 2: fuzz::checkProto<v1::Command>(bytes); break;
    case 3: checkLogQuery(bytes); break;
    case 4: fuzz::checkProto<v1::LogPage>(bytes); break;
    default: checkRanks(bytes); break;
    }
    return 0;
}
