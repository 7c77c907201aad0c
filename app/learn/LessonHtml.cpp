#include "app/learn/LessonHtml.h"

#include "app/learn/LessonListModel.h"
#include "app/widget/Tokens.h"

#include <QCoreApplication>

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
        html += QStringLiteral("<p>%1</p>")
                    .arg(part.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")));
    return html;
}

} // namespace

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
        html +=
            QStringLiteral("<p>%1 %2</p>")
                .arg(isSolved ? Html::tr("✓ solved:") : QStringLiteral("○"),
                     QString::fromStdString(pack.tasks[task].text.in(language)).toHtmlEscaped());
    }
    return html;
}

} // namespace ringmaster::app
