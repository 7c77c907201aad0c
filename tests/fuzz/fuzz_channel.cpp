// What a lead and its agents say to each other besides events: the order that a channel begins
// with, commands, logs, operations, states and stacks of ranks, and answers to heartbeats. What is
// accepted is written as something that is read as the same. The first byte says what it is.

#include "ProtoRoundTrip.h"
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

bool isSamePage(const OperationPage& one, const OperationPage& other)
{
    return one.rows == other.rows && one.cursor == other.cursor;
}

/// What is kept of the secrets of others is bounded.
bool isSameReply(const HeartbeatReply& one, const HeartbeatReply& other)
{
    return one.at == other.at && one.machine == other.machine &&
           one.keptEvents == other.keptEvents && one.hasGivenUp == other.hasGivenUp &&
           one.secrets == other.secrets && one.secrets.names.size() <= MostSecretsTold &&
           one.secrets.values.size() <= MostSecretsTold;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const google::protobuf::LogSilencer silencer;
    fuzz::Input input(data, size);
    const auto kind = input.number<std::uint8_t>() % 9;
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
    case 5: checkRanks(bytes); break;
    case 6: fuzz::checkProto<v1::OperationPage>(bytes, isSamePage); break;
    case 7: fuzz::checkProto<v1::Stacks>(bytes); break;
    default: fuzz::checkProto<v1::HeartbeatReply>(bytes, isSameReply); break;
    }
    return 0;
}
