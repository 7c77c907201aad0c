#pragma once

#include "engine/record/LogAssembler.h"

#include <QList>
#include <QString>
#include <QVariant>

namespace ringmaster::app {

struct StyledPiece
{
    QString text{};
    TextStyle style{};
};

/// What a row of lines says of one, by the roles of LogModel.
QVariant dataOf(const LogLine& line, int role);

} // namespace ringmaster::app
