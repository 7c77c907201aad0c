#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace ringmaster::app {

/// A line of a source file that a program named in its output.
struct SourcePlace
{
    QString file{};
    int line = 0;
    bool operator==(const SourcePlace&) const = default;
};

/// Where a text names one: `length` characters from `begin`.
struct SourceMention
{
    SourcePlace place{};
    qsizetype begin = 0;
    qsizetype length = 0;
};

/// `File "x.py", line 12`, as Python's tracebacks have it, or `x.py:12`.
QList<SourceMention> sourceMentionsIn(const QString& text);

/// The first one.
std::optional<SourcePlace> sourcePlaceIn(const QString& text);

/// The user's command, for example `code -g {file}:{line}`; empty: what the desktop opens files
/// with. Kept in the settings as editor/command.
QString editorCommand();
void setEditorCommand(const QString& command);

/// Its words with the place put in; empty without a command.
QStringList editorWords(const QString& command, const SourcePlace& place);

/// A relative name is one of `folder`. Doesn't wait.
void openInEditor(SourcePlace place, const QString& folder);

} // namespace ringmaster::app
