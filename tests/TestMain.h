#pragma once

#include <QDeadlineTimer>
#include <QtTest>

/// Whether the program was built with a sanitizer: what it does takes several times as long then,
/// and its memory says nothing about the product's.
#ifdef RINGMASTER_SANITIZED
constexpr bool IsSanitized = true;
#else
constexpr bool IsSanitized = false;
#endif

// QtTest's own macros look once more after what they wait for came true, and fail where it was true
// for a moment only. Its 5 s are too little for a process that starts on a busy machine; what comes
// earlier isn't waited for longer.
#undef QTRY_VERIFY2_WITH_TIMEOUT
#define QTRY_VERIFY2_WITH_TIMEOUT(expr, messageExpression, milliseconds)                           \
    do {                                                                                           \
        RINGMASTER_TEST_WAIT(static_cast<bool>(expr), milliseconds)                                \
        QVERIFY2(hasComeTrue, messageExpression);                                                  \
    } while (false)
#undef QTRY_VERIFY_WITH_TIMEOUT
#define QTRY_VERIFY_WITH_TIMEOUT(expr, milliseconds)                                               \
    do {                                                                                           \
        RINGMASTER_TEST_WAIT(static_cast<bool>(expr), milliseconds)                                \
        QVERIFY2(hasComeTrue, #expr);                                                              \
    } while (false)
#undef QTRY_COMPARE_WITH_TIMEOUT
#define QTRY_COMPARE_WITH_TIMEOUT(expr, expected, milliseconds)                                    \
    do {                                                                                           \
        RINGMASTER_TEST_WAIT((expr) == (expected), milliseconds)                                   \
        if (!hasComeTrue)                                                                          \
            QCOMPARE(expr, expected);                                                              \
    } while (false)
#define RINGMASTER_TEST_WAIT(expr, milliseconds)                                                   \
    bool hasComeTrue = (expr);                                                                     \
    for (const QDeadlineTimer patience(milliseconds); !hasComeTrue && !patience.hasExpired();      \
         hasComeTrue = (expr))                                                                     \
        QTest::qWait(10);
#undef QTRY_VERIFY
#define QTRY_VERIFY(expr) QTRY_VERIFY_WITH_TIMEOUT((expr), 60'000)
#undef QTRY_VERIFY2
#define QTRY_VERIFY2(expr, messageExpression)                                                      \
    QTRY_VERIFY2_WITH_TIMEOUT((expr), messageExpression, 60'000)
#undef QTRY_COMPARE
#define QTRY_COMPARE(expr, expected) QTRY_COMPARE_WITH_TIMEOUT((expr), (expected), 60'000)

// The classes of a folder share a program (TestProgram.cpp.in): each has a main of its own in it.
#undef QTEST_MAIN_WRAPPER
#define QTEST_MAIN_WRAPPER(TestClass, ...)                                                         \
    int main_##TestClass(int argc, char** argv)                                                    \
    {                                                                                              \
        QTest::Internal::callInitMain<TestClass>();                                                \
        __VA_ARGS__                                                                                \
        TestClass test;                                                                            \
        QTEST_SET_MAIN_SOURCE_PATH                                                                 \
        return QTest::qExec(&test, argc, argv);                                                    \
    }
