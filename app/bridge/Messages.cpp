#include "app/bridge/Messages.h"

#include "engine/base/Codes.h"

#include <QCoreApplication>

namespace ringmaster::app {

namespace {

/// In records that were made before, who is absent comes with an English noun.
Parameters withoutNouns(Parameters parameters)
{
    const auto absent = parameters.find("absent");
    if (absent != parameters.end() && absent->second.starts_with("rank"))
        absent->second.erase(0, absent->second.find(' ') + 1);
    return parameters;
}

} // namespace

QString sentenceOf(Code code)
{
    // The sentences are in the engine's Codes.def; MessageSentences.cpp, made from them, shows them
    // to lupdate.
    return QCoreApplication::translate("Messages", std::string(englishTemplate(code)).c_str());
}

bool saysAnything(const Message& message)
{
    return message.code != code::None && message.code != code::InternalError;
}

QString text(const Message& message)
{
    const std::string sentence = sentenceOf(message.code).toStdString();
    return QString::fromStdString(substitute(sentence, withoutNouns(message.parameters)));
}

QString text(const Error& error)
{
    QString text;
    for (auto step = error.context.rbegin(); step != error.context.rend(); ++step)
        text += app::text(*step) + QStringLiteral(": ");
    text += app::text(static_cast<const Message&>(error));
    if (!error.detail.empty())
        text += QLatin1Char('\n') + detailOf(error);
    return text;
}

QString detailOf(const Message& message)
{
    return QString::fromStdString(message.detail);
}

} // namespace ringmaster::app
