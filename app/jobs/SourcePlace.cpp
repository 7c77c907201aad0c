#include "app/jobs/SourcePlace.h"

#include "engine/base/DescriptorLimit.h"

#include <QDesktopServices>
#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QUrl>

namespace ringmaster::app {

QList<SourceMention> sourceMentionsIn(const QString& text)
{
    // A time of day has no letter before its colon, an address no ending. A name begins where none
    // goes on: else a long word would be searched from each of its letters.
    static const QRegularExpression expression(
        QStringLiteral("File \"([^\"<>]+)\", line (\\d+)"
                       "|(?<![\\w./~+-])([\\w./~+-]*[\\w-]\\.[A-Za-z][A-Za-z+]{0,3}):(\\d+)\\b"));
    QList<SourceMention> mentions;
    for (auto matches = expression.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        const bool isOfTraceback = match.hasCaptured(1);
        const SourcePlace place{match.captured(isOfTraceback ? 1 : 3),
                                match.captured(isOfTraceback ? 2 : 4).toInt()};
        if (place.line > 0)
            mentions.append({place, match.capturedStart(), match.capturedLength()});
    }
    return mentions;
}

std::optional<SourcePlace> sourcePlaceIn(const QString& text)
{
    const QList<SourceMention> mentions = sourceMentionsIn(text);
    return mentions.isEmpty() ? std::nullopt : std::optional(mentions.first().place);
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
    if (words.isEmpty()) {
        QDesktopServices::openUrl(QUrl::fromLocalFile(place.file));
        return;
    }
    const QString program = words.takeFirst();
    qint64 pid = 0;
    if (QProcess::startDetached(program, words, QString(), &pid))
        restoreDescriptorLimit(static_cast<pid_t>(pid));
}

} // namespace ringmaster::app
