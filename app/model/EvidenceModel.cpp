#include "app/model/EvidenceModel.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "engine/base/Codes.h"
#include "engine/ledger/UserCode.h"

#include <QFont>

#include <utility>

namespace ringmaster::app {

namespace {

QString onOneLine(const std::string& text)
{
    return QString::fromStdString(text).simplified();
}

QList<QStandardItem*> cells(const QString& what, const QString& where)
{
    QList<QStandardItem*> items{new QStandardItem(what), new QStandardItem(where)};
    for (QStandardItem* item : items) {
        item->setEditable(false);
        item->setToolTip(item->text());
    }
    return items;
}

void embolden(const QList<QStandardItem*>& items)
{
    QFont bold;
    bold.setBold(true);
    for (QStandardItem* item : items)
        item->setFont(bold);
}

QString withLine(const QString& file, const StackFrame& frame)
{
    return frame.line > 0 ? QStringLiteral("%1:%2").arg(file).arg(frame.line) : file;
}

/// What is installed is known by its place below that.
QString shortFile(const QString& file)
{
    for (const QLatin1String folder :
         {QLatin1String("/site-packages/"), QLatin1String("/dist-packages/")}) {
        if (const auto place = file.indexOf(folder); place >= 0)
            return file.mid(place + folder.size());
    }
    return file;
}

QList<QStandardItem*> callCells(const StackFrame& frame)
{
    const QString file = onOneLine(frame.file);
    const auto items = cells(onOneLine(frame.function), withLine(shortFile(file), frame));
    items.back()->setData(withLine(file, frame), EvidenceModel::WholeRole);
    items.back()->setToolTip(withLine(file, frame));
    return items;
}

void addText(const QStandardItem& parent, int depth, QString& text)
{
    for (int i = 0; i < parent.rowCount(); ++i) {
        const QStandardItem* what = parent.child(i, EvidenceModel::What);
        const QStandardItem* where = parent.child(i, EvidenceModel::Where);
        text += QString(depth * 2, QLatin1Char(' ')) + what->text();
        const QVariant whole = where->data(EvidenceModel::WholeRole);
        if (!where->text().isEmpty())
            text += QLatin1Char('\t') + (whole.isValid() ? whole.toString() : where->text());
        text += QLatin1Char('\n');
        addText(*what, depth + 1, text);
    }
}

} // namespace

EvidenceModel::EvidenceModel(QObject* parent) : QStandardItemModel(0, ColumnCount, parent) {}

void EvidenceModel::show(const Evidence& evidence)
{
    removeRows(0, rowCount());
    setHorizontalHeaderLabels({tr("Ranks and calls"), tr("Where")});
    for (const EvidenceFold& fold : foldsOf(evidence))
        addFold(fold);
}

void EvidenceModel::addFold(const EvidenceFold& fold)
{
    const RankEvidence& rank = fold.common;
    const auto items = cells(
        tr("Ranks %1", nullptr, static_cast<int>(fold.ranks.size())).arg(ranksText(fold.ranks)),
        rank.operation.code == code::None ? QString() : ringmaster::app::text(rank.operation));
    embolden(items);
    QStandardItem& parent = *items.front();
    parent.setData(true, IsOpenRole);
    if (rank.problem.code != code::None)
        parent.appendRow(cells(tr("Stack"), ringmaster::app::text(rank.problem)));
    addThreads(parent, rank.threads, tr("read by %1").arg(word(rank.source)), true);
    addSystem(parent, rank);
    addThreads(parent, rank.nativeThreads,
               tr("with C code, read by %1").arg(word(RankEvidence::Source::PySpy)), false);
    appendRow(items);
}

void EvidenceModel::addSystem(QStandardItem& fold, const RankEvidence& rank)
{
    QStringList facts{word(rank.process)};
    if (!rank.systemCall.empty())
        facts << (rank.systemFile.empty()
                      ? tr("in %1").arg(onOneLine(rank.systemCall))
                      : tr("in %1 on %2")
                            .arg(onOneLine(rank.systemCall), onOneLine(rank.systemFile)));
    if (!rank.waitChannel.empty())
        facts << tr("in the kernel: %1").arg(onOneLine(rank.waitChannel));
    fold.appendRow(cells(tr("Process"), facts.join(tr(", "))));
}

void EvidenceModel::addThreads(QStandardItem& fold, const std::vector<ThreadStack>& threads,
                               const QString& reader, bool isOpen)
{
    for (const ThreadStack& thread : threads) {
        const QString name = thread.name.empty() ? tr("A thread") : onOneLine(thread.name);
        const auto items =
            cells(name, thread.holdsGil ? tr("%1; holds the GIL").arg(reader) : reader);
        items.front()->setData(isOpen && thread.isMain, IsOpenRole);
        bool isOwnSeen = false;
        for (const StackFrame& frame : thread.frames) {
            const auto call = callCells(frame);
            // Of the user's own calls the innermost is where to look.
            if (frame.line > 0 && !isForeignFile(frame.file) && !std::exchange(isOwnSeen, true))
                embolden(call);
            items.front()->appendRow(call);
        }
        if (thread.leftOut > 0)
            items.front()->appendRow(
                cells(tr("… %n calls are left out", nullptr, thread.leftOut), {}));
        fold.appendRow(items);
    }
}

QString EvidenceModel::text() const
{
    QString text;
    addText(*invisibleRootItem(), 0, text);
    return text;
}

} // namespace ringmaster::app
