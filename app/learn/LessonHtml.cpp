#include "app/learn/LessonHtml.h"

#include "app/learn/LessonListModel.h"
#include "app/widget/Tokens.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace ringmaster::app {

namespace {

struct Html
{
    Q_DECLARE_TR_FUNCTIONS(LessonHtml)
};

QString paragraphs(const std::string& text)
{
    QString html;
    for (const QString& part : QString::fromStdString(text).trimmed().split(QStringLiteral("\n\n")))
        html += QStringLiteral("<p>%1</p>").arg(lessonHtml(part));
    return html;
}

} // namespace

QString lessonHtml(const QString& text)
{
    static const QRegularExpression bold(QStringLiteral("\\*\\*(\\S(?:.*?\\S)?)\\*\\*"),
                                         QRegularExpression::DotMatchesEverythingOption);
    QString html;
    const QStringList parts = text.split(u'`');
    for (qsizetype i = 0; i < parts.size(); ++i) {
        QString part = parts.at(i).toHtmlEscaped();
        const bool isClosed = i + 1 < parts.size();
        if (i % 2 == 1 && isClosed)
            html += QStringLiteral("<code>%1</code>").arg(part);
        else
            html += (i % 2 == 1 ? QStringLiteral("`") : QString()) +
                    part.replace(bold, QStringLiteral("<b>\\1</b>"));
    }
    return html.replace(u'\n', QStringLiteral("<br>"));
}

QString lessonHtml(const lesson::Pack& pack, const lesson::Progress& progress)
{
    const std::string language = lessonLanguage();
    QString html = paragraphs(pack.text.in(language));
    const auto head = [](const QString& title, const QColor& color) {
        return QStringLiteral("<p style=\"color:%1\"><b>%2</b></p>").arg(color.name(), title);
    };
    if (!pack.mistake.in(language).empty())
        html += head(Html::tr("▲ What people get wrong"), themeTokens().warning.text) +
                paragraphs(pack.mistake.in(language));
    if (!pack.tasks.empty())
        html += head(Html::tr("Change the program"), themeTokens().accent);
    for (size_t task = 0; task < pack.tasks.size(); ++task) {
        const bool isSolved = progress.isSolved(pack.name, task);
        html += QStringLiteral("<p>%1 %2</p>")
                    .arg(isSolved ? Html::tr("✓ solved:") : QStringLiteral("○"),
                         lessonHtml(QString::fromStdString(pack.tasks[task].text.in(language))));
    }
    return html;
}

} // namespace ringmaster::app
