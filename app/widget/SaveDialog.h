#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

#include <functional>

class QThreadPool;
class QWidget;

namespace ringmaster::app {

/// Asks where to, then writes what `content` makes, on a thread of `pool`; `told` gets the sentence
/// for the reader as long as `parent` lives. Returns at once.
void saveByDialog(QWidget* parent, QThreadPool& pool, const QString& title, const QString& fileName,
                  std::function<QByteArray()> content, std::function<void(const QString&)> told);

QByteArray pngOf(const QImage& picture);

} // namespace ringmaster::app
