#include "tests/lesson/LessonTest.h"

#include "tests/support/TorchInterpreter.h"

namespace ringmaster::test {

void LessonTest::initTestCase()
{
    if (torchInterpreter().isEmpty())
        QSKIP("no interpreter with torch");
    useOwnFolders(m_folder);
}

bool hasRing()
{
    return !QDir(QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster-ring/ringmaster_ring"))
                .entryList({QStringLiteral("torch-*.so")})
                .isEmpty();
}

QByteArray headOf(const char* backend)
{
    return QByteArray(R"(import torch
import torch.distributed as dist
dist.init_process_group("BACKEND")
rank, size = dist.get_rank(), dist.get_world_size()
t = torch.tensor([float([2, 3, 5, 7, 11, 13, 17, 19][rank])])
)")
        .replace("BACKEND", backend);
}

double primeOf(int rank)
{
    constexpr double Primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
    return Primes[rank];
}

} // namespace ringmaster::test
