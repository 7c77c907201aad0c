// ledger_writer PATH flood | wait | exec N: a process that writes a ledger, for tests that kill or
// replace it.

#include "engine/ledger/LedgerWriter.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

using namespace ringmaster::ledger;

int main(int count, char** arguments)
{
    if (count < 3)
        return 2;
    const std::string doing = arguments[2];
    const auto attached = LedgerWriter::attach(arguments[1], Recorder::CallSites, "test");
    if (!attached.writer) {
        std::printf("refused %d\n", static_cast<int>(attached.refusal));
        return 1;
    }
    Call call;
    call.kind = OperationKind::AllReduce;
    call.number = 1;
    const std::uint64_t operation = attached.writer->begin(call, monotonicNs());
    std::printf("ready\n");
    std::fflush(stdout);
    while (doing == "flood") {
        ++call.number;
        call.bytes = call.number * 3;
        attached.writer->begin(call, monotonicNs());
    }
    if (doing == "wait")
        ::pause();
    if (doing == "exec") {
        ::execl(arguments[0], arguments[0], arguments[1], "end", nullptr);
        return 3;
    }
    attached.writer->end(operation, call, 1, 2, 3);
    return 0;
}
