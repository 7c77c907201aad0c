// What is left of old operations, as a run file holds it; before it is compressed, too. What is
// accepted is packed as a fold that is read as the same.

#include "Fuzz.h"
#include "engine/ledger/OperationFold.h"
#include "engine/ledger/Packing.h"

using namespace ringmaster;

namespace {

void check(std::string_view block)
{
    const Result<OperationFold> fold = unpackFold(block);
    if (!fold)
        return;
    for (const OperationFold::Row& row : fold->rows)
        fuzz::require(row.group < fold->groups.size());
    const Result<OperationFold> again = unpackFold(packFold(*fold));
    fuzz::require(again && *again == *fold);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes = fuzz::textOf(data, size);
    check(bytes);
    check(packing::compressed(bytes));
    return 0;
}
