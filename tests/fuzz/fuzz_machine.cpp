// What a machine that is watched says of its runs. What is accepted is written as something that is
// read as the same. The first byte says what it is.

#include "Fuzz.h"
#include "engine/control/FiguresProto.h"
#include "engine/control/MachineProto.h"

#include <google/protobuf/stubs/logging.h>
#include <machine.pb.h>

using namespace ringmaster;

namespace {

constexpr std::int64_t Now = 1'000'000'000'000;

template <class Proto>
void check(std::string_view bytes)
{
    Proto told;
    if (!told.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return;
    const auto read = fromProto(told);
    if (!read)
        return;
    Proto written;
    toProto(*read, written);
    const auto again = fromProto(written);
    fuzz::require(again.has_value());
    if constexpr (std::is_same_v<Proto, v1::LastNumbers>) // a loss may be NaN, which equals nothing
        fuzz::require(again->latest.size() == read->latest.size() &&
                      again->progress == read->progress);
    else
        fuzz::require(*again == *read);
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
    const auto kind = input.number<std::uint8_t>() % 4;
    const std::string_view bytes = input.text(size);
    switch (kind) {
    case 0: check<v1::RunEntry>(bytes); break;
    case 1: check<v1::RunFigures>(bytes); break;
    case 2: check<v1::LastNumbers>(bytes); break;
    default: checkPlaces(bytes); break;
    }
    return 0;
}
