#include "app/model/NumberText.h"

#include "app/bridge/Words.h"

#include <QCoreApplication>

namespace ringmaster::app {

namespace {

class NumberWords
{
    Q_DECLARE_TR_FUNCTIONS(NumberWords)
};

} // namespace

QString numberText(double value)
{
    return QString::number(value, 'g', 6);
}

QString numberText(const NumberSummary::Latest& latest)
{
    const QString text = QString::fromStdString(latest.name) + u' ' + numberText(latest.value);
    return latest.total ? text + u'/' + numberText(*latest.total) : text;
}

QString progressText(const NumberSummary::Progress& progress, std::int64_t nowWallNs)
{
    const QString part = percentText(progress.part);
    // What was to be over by now isn't, and how long it takes is unknown.
    if (!progress.endWallNs || *progress.endWallNs <= nowWallNs)
        return part;
    return NumberWords::tr("%1 · %2 left", "part, time")
        .arg(part, clockText(*progress.endWallNs - nowWallNs));
}

} // namespace ringmaster::app
