#include "app/widget/FieldText.h"

#include "app/widget/Theme.h"
#include "engine/text/ShellWords.h"

#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QStringList>

namespace ringmaster::app {

QString listText(const std::vector<std::string>& names)
{
    QStringList texts;
    for (const std::string& name : names)
        texts << QString::fromStdString(name);
    return texts.join(QStringLiteral(", "));
}

std::vector<std::string> listIn(const QString& text)
{
    static const QRegularExpression separators(QStringLiteral("[,\\s]+"));
    std::vector<std::string> names;
    for (const QString& name : text.split(separators, Qt::SkipEmptyParts))
        names.push_back(name.toStdString());
    return names;
}

void dressLines(QPlainTextEdit& field, int height)
{
    field.setFont(monospaceFont());
    field.setTabChangesFocus(true);
    field.setLineWrapMode(QPlainTextEdit::NoWrap);
    field.setFixedHeight(height);
}

void showLines(QPlainTextEdit& field, const std::vector<std::string>& items)
{
    if (linesIn(field) == items)
        return;
    QStringList lines;
    for (const std::string& item : items)
        lines.append(QString::fromStdString(item));
    field.setPlainText(lines.join(u'\n'));
}

std::vector<std::string> linesIn(const QPlainTextEdit& field)
{
    std::vector<std::string> items;
    for (const QString& line : field.toPlainText().split(u'\n'))
        if (const QString item = line.trimmed(); !item.isEmpty())
            items.push_back(item.toStdString());
    return items;
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
