#pragma once

#include <QString>

namespace ringmaster::app {

/// The file of an example, installed or in the source tree; empty if there is none.
QString exampleFile(const QString& name);

/// What is said where there is none.
QString noExampleText(const QString& name);

} // namespace ringmaster::app
