#pragma once

#include <QRegularExpression>
#include <QString>

namespace ringmaster::test {

/// What a program printed itself: until torch 2.10, Gloo greets on standard output.
inline QString withoutGloosGreeting(QString printed)
{
    static const QRegularExpression greeting(QStringLiteral("^\\[Gloo\\] Rank .*\\n"),
                                             QRegularExpression::MultilineOption);
    return printed.remove(greeting);
}

} // namespace ringmaster::test
