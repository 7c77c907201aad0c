#include "tests/support/TorchTest.h"

#include "tests/support/TorchInterpreter.h"

#include <QtTest>

namespace ringmaster::test {

void TorchTest::initTestCase()
{
    m_python = torchInterpreter();
    if (m_python.isEmpty())
        QSKIP("No interpreter has torch.");
    prepare();
}

} // namespace ringmaster::test
