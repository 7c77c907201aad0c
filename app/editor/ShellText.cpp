#include "app/editor/ShellText.h"

#include "engine/job/ShellWords.h"

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

QString linesOf(const std::map<std::string, std::string>& variables)
{
    QStringList lines;
    for (const auto& [name, value] : variables)
        lines.append(QString::fromStdString(name + "=" + value));
    return lines.join(u'\n');
}

std::map<std::string, std::string> variablesOf(const QString& lines, int* wrongLines)
{
    std::map<std::string, std::string> variables;
    int wrong = 0;
    for (const QString& line : lines.split(u'\n')) {
        const qsizetype equals = line.indexOf(u'=');
        const std::string name = line.left(equals).trimmed().toStdString();
        if (equals > 0 && isVariableName(name))
            variables[name] = line.mid(equals + 1).toStdString();
        else if (!line.trimmed().isEmpty())
            ++wrong;
    }
    if (wrongLines != nullptr)
        *wrongLines = wrong;
    return variables;
}

} // namespace ringmaster::app
