#include "app/bridge/SaveFile.h"

#include "app/bridge/Background.h"

#include <QCoreApplication>
#include <QSaveFile>

namespace ringmaster::app {

namespace {

struct SaveFile
{
    Q_DECLARE_TR_FUNCTIONS(SaveFile)
};

} // namespace

void saveFile(QThreadPool& pool, QObject* context, const QString& path,
              std::function<QByteArray()> content, std::function<void(const QString&)> told)
{
    const auto write = [path, content = std::move(content)] {
        QSaveFile file(path);
        const bool isSaved =
            file.open(QIODevice::WriteOnly) && file.write(content()) >= 0 && file.commit();
        return isSaved ? QString() : file.errorString();
    };
    inBackground(pool, context, write, [path, told = std::move(told)](const QString& problem) {
        told(problem.isEmpty() ? SaveFile::tr("Saved %1").arg(path)
                               : SaveFile::tr("%1 can't be written: %2").arg(path, problem));
    });
}

} // namespace ringmaster::app
