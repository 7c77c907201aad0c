#include "app/model/LogRow.h"

#include "app/bridge/Words.h"
#include "app/model/LogModel.h"

namespace ringmaster::app {

namespace {

QList<StyledPiece> piecesOf(const LogLine& line)
{
    QList<StyledPiece> pieces;
    const std::string_view text = line.text;
    const auto add = [&](size_t begin, size_t end, const TextStyle& style) {
        if (begin < end)
            pieces.append(
                {QString::fromUtf8(text.data() + begin, static_cast<qsizetype>(end - begin)),
                 style});
    };
    const size_t plain = line.runs.empty() ? text.size() : line.runs.front().begin;
    add(0, plain, {});
    for (size_t i = 0; i < line.runs.size(); ++i) {
        const bool isLast = i + 1 == line.runs.size();
        add(line.runs[i].begin, isLast ? text.size() : line.runs[i + 1].begin, line.runs[i].style);
    }
    return pieces;
}

} // namespace

QVariant dataOf(const LogLine& line, int role)
{
    switch (role) {
    case Qt::DisplayRole: return QString::fromStdString(line.text);
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2").arg(rankText(line.globalRank),
                                            QString::fromStdString(line.text));
    case LogModel::TimeRole: return timeText(line.at);
    case LogModel::RankRole: return line.globalRank;
    case LogModel::StreamRole: return static_cast<int>(line.stream);
    case LogModel::AttemptRole: return line.attempt;
    case LogModel::LevelRole: return static_cast<int>(line.level);
    case LogModel::OpenRole: return line.isOpen;
    case LogModel::PiecesRole: return QVariant::fromValue(piecesOf(line));
    default: return {};
    }
}

} // namespace ringmaster::app
