#include "app/bridge/Messages.h"

#include <QCoreApplication>

namespace ringmaster::app {

namespace {

/// Who is absent comes with its noun, so that one sentence fits one rank and many.
Parameters inThisLanguage(Parameters parameters)
{
    const auto absent = parameters.find("absent");
    if (absent == parameters.end())
        return parameters;
    const QString phrase = QString::fromStdString(absent->second);
    const QString ranks = phrase.section(u' ', 1);
    if (phrase.startsWith(QStringLiteral("ranks ")))
        absent->second =
            QCoreApplication::translate("Messages", "ranks %1").arg(ranks).toStdString();
    else if (phrase.startsWith(QStringLiteral("rank ")))
        absent->second =
            QCoreApplication::translate("Messages", "rank %1").arg(ranks).toStdString();
    return parameters;
}

} // namespace

QString sentenceOf(Code code)
{
    // The sentences are in the engine's Codes.def; MessageSentences.cpp, made from them, shows them
    // to lupdate.
    return QCoreApplication::translate("Messages", std::string(englishTemplate(code)).c_str());
}

QString text(const Message& message)
{
    const std::string sentence = sentenceOf(message.code).toStdString();
    return QString::fromStdString(substitute(sentence, inThisLanguage(message.parameters)));
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
