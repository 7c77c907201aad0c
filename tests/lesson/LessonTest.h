#pragma once

#include "tests/lesson/LessonRun.h"

#include <QtTest>

namespace ringmaster::test {

/// A test of real workers: skipped where no interpreter has torch, with folders of its own.
class LessonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();

private:
    QTemporaryDir m_folder;
};

/// Whether the ring's extension is built here.
bool hasRing();

/// What stands before a program's body, whose first line is line 6: torch, the group, `rank`,
/// `size`, and the rank's prime as the tensor `t`.
QByteArray headOf(const char* backend = "gloo");

/// Of the rank, from 0.
double primeOf(int rank);

} // namespace ringmaster::test
