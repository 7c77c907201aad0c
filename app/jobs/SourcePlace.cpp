#include "app/jobs/SourcePlace.h"

#include <QDesktopServices>
#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QUrl>

namespace ringmaster::app {

std::optional<SourcePlace> sourcePlaceIn(const QString& text)
{
    static const QRegularExpression ofTraceback(QStringLiteral("File \"([^\"<>]+)\", line (\\d+)"));
    // A time of day has no letter before its colon, an address no ending.
    static const QRegularExpression ofMessage(
        QStringLiteral("([\\w./~+-]*[\\w-]\\.[A-Za-z][A-Za-z+]{0,3}):(\\d+)\\b"));
    for (const auto* expression : {&ofTraceback, &ofMessage}) {
        const auto match = expression->match(text);
        const int line = match.captured(2).toInt();
        if (match.hasMatch() && line > 0)
            return SourcePlace{match.captured(1), line};
    }
    return std::nullopt;
}

QString editorCommand()
{
    return QSettings().value(QStringLiteral("editor/command")).toString();
}

void setEditorCommand(const QString& command)
{
    QSettings().setValue(QStringLiteral("editor/command"), command.trimmed());
}

QStringList editorWords(const QString& command, const SourcePlace& place)
{
    QStringList words = QProcess::splitCommand(command);
    for (QString& word : words) {
        // Last, so that a file's name that looks like it isn't taken for it.
        word.replace(QStringLiteral("{line}"), QString::number(place.line));
        word.replace(QStringLiteral("{file}"), place.file);
    }
    return words;
}

void openInEditor(SourcePlace place, const QString& folder)
{
    if (place.file.startsWith(QStringLiteral("~/")))
        place.file.replace(0, 1, QDir::homePath());
    place.file = QDir(folder).absoluteFilePath(place.file);
    QStringList words = editorWords(editorCommand(), place);
    if (words.isEmpty())
        QDesktopServices::openUrl(QUrl::fromLocalFile(place.file));
    else
        QProcess::startDetached(words.takeFirst(), words);
}

} // namespace ringmaster::app
