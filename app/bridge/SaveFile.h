#pragma once

#include <QByteArray>
#include <QString>

#include <functional>

class QObject;
class QThreadPool;

namespace ringmaster::app {

/// Writes what `content` makes into a file, both on a thread of `pool`; `told`, on the thread of
/// `context`, gets the sentence for the reader: saved, or why not. The file is whole or untouched.
void saveFile(QThreadPool& pool, QObject* context, const QString& path,
              std::function<QByteArray()> content, std::function<void(const QString&)> told);

} // namespace ringmaster::app
