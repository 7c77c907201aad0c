#include "app/editor/ShellText.h"

#include "engine/text/ShellWords.h"

#include <QStringList>

namespace ringmaster::app {

QString lineOf(const std::vector<std::string>& words)
{
    QStringList quoted;
    for (const std::string& word : words)
        quoted.append(QString::fromStdString(shellQuoted(word)));
    return quoted.join(u' ');
}

Result<std::vector<std::string>> wordsOf(const QString& line)
{
    std::vector<std::string> words;
    for (const ShellToken& token : RM_TRY(splitShell(line.toStdString())))
        words.push_back(token.kind == ShellToken::Kind::Word ? token.plainText() : token.text);
    return words;
}

} // namespace ringmaster::app
