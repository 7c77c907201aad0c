#pragma once

#include "engine/text/CsvCell.h"

#include <QByteArray>
#include <QString>

namespace ringmaster::app {

/// One cell of a CSV file, in UTF-8.
inline QByteArray csvText(const QString& text)
{
    return QByteArray::fromStdString(csvCell(text.toStdString()));
}

} // namespace ringmaster::app
