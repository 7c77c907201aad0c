#include "app/learn/LessonHtml.h"

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

QString lessonHead(const QString& title, const QColor& color)
{
    return QStringLiteral("<p style=\"color:%1\"><b>%2</b></p>").arg(color.name(), title);
}

QString mutedHtml(const QString& text)
{
    return QStringLiteral("<span style=\"color:%1\">%2</span>")
        .arg(themeTokens().mutedText.name(), text.toHtmlEscaped());
}

/// What the run is asked, in a few words.
QString answeredBy(const lesson::Question& question)
{
    using Kind = lesson::Question::Kind;
    const QString rank =
        question.rank == -1 ? Html::tr("the last rank") : Html::tr("rank %1").arg(question.rank);
    const QString at = QString::fromStdString(question.at);
    switch (question.kind) {
    case Kind::Value: {
        const QString variable = QString::fromStdString(question.variable);
        return Html::tr("%1 on %2, once this line has run: %3").arg(variable, rank, at);
    }
    case Kind::Blocked: return Html::tr("which ranks never get past this line: %1").arg(at);
    case Kind::BytesSent: return Html::tr("how many bytes %1 sends").arg(rank);
    case Kind::Deadlock: return Html::tr("whether the run comes to a deadlock");
    case Kind::Sender: return Html::tr("whose message %1 receives in this line: %2").arg(rank, at);
    case Kind::Guilty: return Html::tr("which ranks the verdict names");
    }
    return {};
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

QString lessonHtml(const lesson::Pack& pack, const lesson::Progress& progress,
                   const std::string& language)
{
    QString html = paragraphs(pack.text.in(language));
    if (!pack.mistake.in(language).empty())
        html += lessonHead(Html::tr("▲ What people get wrong"), themeTokens().warning.text) +
                paragraphs(pack.mistake.in(language));
    if (!pack.tasks.empty())
        html += lessonHead(Html::tr("Change the program"), themeTokens().accent);
    for (size_t task = 0; task < pack.tasks.size(); ++task) {
        const bool isSolved = progress.isSolved(pack.name, task);
        html += QStringLiteral("<p>%1 %2</p>")
                    .arg(isSolved ? Html::tr("✓ solved:") : QStringLiteral("○"),
                         lessonHtml(QString::fromStdString(pack.tasks[task].text.in(language))));
    }
    return html;
}

QString previewHtml(const lesson::Pack& pack, const std::string& language)
{
    const auto written = [&](const lesson::Text& text) {
        return QString::fromStdString(text.in(language));
    };
    QString html;
    if (!written(pack.title).isEmpty())
        html += QStringLiteral("<h3>%1</h3>").arg(lessonHtml(written(pack.title)));
    html += lessonHtml(pack, {}, language);
    if (!pack.questions.empty())
        html += lessonHead(Html::tr("Questions"), themeTokens().accent);
    int number = 0;
    for (const lesson::Question& question : pack.questions) {
        html += QStringLiteral("<p>%1. %2<br>%3")
                    .arg(QString::number(++number), lessonHtml(written(question.text)),
                         mutedHtml(answeredBy(question)));
        if (!question.because.in(language).empty())
            html += QStringLiteral("<br>→ ") + lessonHtml(written(question.because));
        html += QStringLiteral("</p>");
    }
    return html;
}

} // namespace ringmaster::app
