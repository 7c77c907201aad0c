// A block of a rank's operations, as a run file holds it and a lead gets it from a host; before it
// is compressed, too, so that the fuzzer comes further. What is accepted is packed as a block that
// is read as the same.

#include "Fuzz.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/ledger/Packing.h"

using namespace ringmaster;

namespace {

void check(std::string_view block)
{
    const Result<OperationBatch> batch = unpackOperations(block);
    if (!batch)
        return;
    fuzz::require(batch->operations.size() <= MostOperationsOfABlock);
    const Result<OperationBatch> again = unpackOperations(packOperations(*batch));
    fuzz::require(again && *again == *batch);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes = fuzz::textOf(data, size);
    check(bytes);
    check(packing::compressed(bytes));
    return 0;
}
