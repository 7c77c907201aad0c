// What a machine that is watched says of its runs. What is accepted is written as something that is
// read as the same. The first byte says what it is.

#include "ProtoRoundTrip.h"

#include <google/protobuf/stubs/logging.h>
#include <machine.pb.h>

using namespace ringmaster;

namespace {

constexpr std::int64_t Now = 1'000'000'000'000;

/// A loss may be NaN, which equals nothing.
bool isSame(const NumberSummary& one, const NumberSummary& other)
{
    return one.latest.size() == other.latest.size() && one.lines.size() == other.lines.size() &&
           one.progress == other.progress;
}

bool isSameFound(const LogSearchPage& one, const LogSearchPage& other)
{
    return one.places == other.places && one.problems == other.problems && one.part == other.part &&
           one.isAtEnd == other.isAtEnd;
}

/// Of its lines only some go on.
bool isSameRun(const ComparedRun& one, const ComparedRun& other)
{
    return one.verdicts == other.verdicts && one.health == other.health &&
           one.operations.rows.size() == other.operations.rows.size() &&
           one.operations.series.size() == other.operations.series.size();
}

void checkPlaces(std::string_view bytes)
{
    v1::RankPlaces told;
    if (!told.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return;
    const RankPlaces read = fromProto(told, Now);
    v1::RankPlaces written;
    toProto(read, Now, written);
    fuzz::require(fromProto(written, Now).places == read.places);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const google::protobuf::LogSilencer silencer;
    fuzz::Input input(data, size);
    const auto kind = input.number<std::uint8_t>() % 6;
    const std::string_view bytes = input.text(size);
    switch (kind) {
    case 0: fuzz::checkProto<v1::RunEntry>(bytes); break;
    case 1: fuzz::checkProto<v1::RunFigures>(bytes); break;
    case 2: fuzz::checkProto<v1::LastNumbers>(bytes, isSame); break;
    case 3: fuzz::checkProto<v1::LogSearchPart>(bytes, isSameFound); break;
    case 4: fuzz::checkProto<v1::ComparedRun>(bytes, isSameRun); break;
    default: checkPlaces(bytes); break;
    }
    return 0;
}
