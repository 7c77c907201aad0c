#include "app/history/ResultsTable.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/history/CompareText.h"
#include "app/widget/Tokens.h"

namespace ringmaster::app {

void ResultsTable::showRuns(const std::vector<ComparedRun>& runs, const RunComparison& comparison)
{
    showColumns(runs.size());
    for (const ComparedQuantity& quantity : comparison.quantities)
        addQuantity(quantity, runs.size());
    addWords(runs);
}

void ResultsTable::addRun(const QString& title, const QStringList& cells)
{
    addRow(title, cells, Qt::AlignRight | Qt::AlignVCenter);
}

void ResultsTable::addQuantity(const ComparedQuantity& quantity, size_t runs)
{
    QStringList cells;
    for (size_t i = 0; i < runs; ++i) {
        const QString ratio = ratioText(quantity, i);
        const QString value = valueText(quantity, i);
        cells << (ratio.isEmpty() ? value : tr("%1 (%2)", "value, ratio").arg(value, ratio));
    }
    addRun(titleOf(quantity), cells);
    const int better = betterWhenMore(quantity.kind);
    for (size_t i = 1; better != 0 && i < runs; ++i) {
        const auto ratio = quantity.ratio(i);
        if (ratio && (better > 0 ? *ratio > 1.05 : *ratio < 0.95))
            item(rowCount() - 1, static_cast<int>(i) + 1)
                ->setForeground(themeTokens().finished.text);
    }
}

void ResultsTable::addWords(const std::vector<ComparedRun>& runs)
{
    QStringList ends;
    QStringList verdicts;
    QStringList restarts;
    const auto listed = [](const std::vector<Message>& messages) {
        QStringList sentences;
        for (const Message& message : messages)
            sentences << text(message);
        return sentences.isEmpty() ? tr("none") : sentences.join(u'\n');
    };
    for (const ComparedRun& run : runs) {
        ends << (run.cause.code == code::None
                     ? word(run.health)
                     : QStringLiteral("%1: %2").arg(word(run.health), text(run.cause)));
        verdicts << listed(run.verdicts);
        restarts << listed(run.restarts);
    }
    addRun(tr("Ended as"), ends);
    addRun(tr("Verdicts"), verdicts);
    if (restarts.count(tr("none")) != restarts.size())
        addRun(tr("Restarted because"), restarts);
}

} // namespace ringmaster::app
