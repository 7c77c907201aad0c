#include "app/widget/SaveDialog.h"

#include "app/bridge/SaveFile.h"

#include <QBuffer>
#include <QFileDialog>
#include <QFileInfo>

namespace ringmaster::app {

void saveByDialog(QWidget* parent, QThreadPool& pool, const QString& title, const QString& fileName,
                  std::function<QByteArray()> content, std::function<void(const QString&)> told)
{
    auto* dialog = new QFileDialog(parent->window(), title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QFileInfo(fileName).suffix());
    dialog->selectFile(fileName);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                     [parent, &pool, content = std::move(content), told = std::move(told)](
                         const QString& path) { saveFile(pool, parent, path, content, told); });
    dialog->open();
}

QByteArray pngOf(const QImage& picture)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, "PNG");
    return bytes;
}

} // namespace ringmaster::app
