#include "app/hosts/PreflightMatrix.h"

#include "app/bridge/Messages.h"
#include "app/widget/StateLook.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace ringmaster::app {

namespace {

bool isWorse(const PreflightFinding& a, const PreflightFinding& b)
{
    return a.grade > b.grade;
}

} // namespace

void PreflightMatrix::setFindings(const std::vector<std::string>& hosts,
                                  const std::vector<PreflightFinding>& findings)
{
    beginResetModel();
    m_hosts = hosts;
    m_findings = findings;
    std::ranges::stable_sort(m_findings, isWorse);
    endResetModel();
}

std::vector<PreflightFinding> PreflightMatrix::at(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    const std::string& host = m_hosts[static_cast<size_t>(index.row())];
    const std::string& peer = m_hosts[static_cast<size_t>(index.column())];
    std::vector<PreflightFinding> found;
    for (const PreflightFinding& finding : m_findings) {
        const std::string& other = finding.peer.empty() ? finding.host : finding.peer;
        if (finding.host == host && other == peer)
            found.push_back(finding);
    }
    return found;
}

std::vector<PreflightFinding> PreflightMatrix::troubles() const
{
    std::vector<PreflightFinding> found;
    std::ranges::copy_if(
        m_findings, std::back_inserter(found),
        [](const PreflightFinding& finding) { return finding.grade != Grade::Good; });
    return found;
}

std::vector<PreflightFinding> PreflightMatrix::ofHosts() const
{
    std::vector<PreflightFinding> found;
    std::ranges::copy_if(m_findings, std::back_inserter(found),
                         [](const PreflightFinding& finding) { return finding.peer.empty(); });
    return found;
}

int PreflightMatrix::badCount() const
{
    return static_cast<int>(std::ranges::count(m_findings, Grade::Bad, &PreflightFinding::grade));
}

std::optional<PreflightMatrix::Grade>
PreflightMatrix::worst(const std::vector<PreflightFinding>& findings)
{
    return findings.empty() ? std::nullopt : std::optional(findings.front().grade);
}

int PreflightMatrix::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_hosts.size());
}

int PreflightMatrix::columnCount(const QModelIndex& parent) const
{
    return rowCount(parent);
}

QVariant PreflightMatrix::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::DisplayRole: return textOf(index);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
        QStringList sentences;
        for (const PreflightFinding& finding : at(index))
            sentences << text(finding.message);
        return sentences.isEmpty() ? tr("not known") : sentences.join(u'\n');
    }
    case GradeRole: {
        const auto grade = worst(at(index));
        return grade ? static_cast<int>(*grade) : -1;
    }
    default: return {};
    }
}

QString PreflightMatrix::textOf(const QModelIndex& index) const
{
    const auto findings = at(index);
    const auto grade = worst(findings);
    if (!grade)
        return QString(QChar(0x2013));
    if (*grade != Grade::Good) {
        const auto bad = std::ranges::count_if(
            findings, [](const PreflightFinding& finding) { return finding.grade != Grade::Good; });
        return tr("%n problems", nullptr, static_cast<int>(bad));
    }
    const auto& parameters = findings.front().message.parameters;
    const auto time = parameters.find("milliseconds");
    return time == parameters.end() ? tr("in order")
                                    : tr("%1 ms").arg(QString::fromStdString(time->second));
}

QVariant PreflightMatrix::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || section < 0 || section >= rowCount())
        return QAbstractTableModel::headerData(section, orientation, role);
    const QString name = QString::fromStdString(m_hosts[static_cast<size_t>(section)]);
    return orientation == Qt::Horizontal ? tr("→ %1").arg(name) : name;
}

void PreflightDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    using Grade = PreflightMatrix::Grade;
    QStyleOptionViewItem background = option;
    initStyleOption(&background, index);
    background.text.clear();
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &background, painter,
                                       option.widget);
    const Tokens& tokens = themeTokens();
    const int grade = index.data(PreflightMatrix::GradeRole).toInt();
    Tokens::State color = tokens.neutral;
    Glyph shape = Glyph::HollowCircle;
    if (grade == static_cast<int>(Grade::Good)) {
        color = tokens.finished;
        shape = Glyph::Tick;
    } else if (grade == static_cast<int>(Grade::Warning)) {
        color = tokens.warning;
        shape = Glyph::Triangle;
    } else if (grade == static_cast<int>(Grade::Bad)) {
        color = tokens.failed;
        shape = Glyph::Cross;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (grade >= 0) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(withAlpha(color.fill, tokens.isDark ? 0.16 : 0.10));
        painter->drawRoundedRect(QRectF(option.rect).adjusted(2, 2, -2, -2), 5, 5);
    }
    const QRect cell = option.rect.adjusted(10, 0, -4, 0);
    paintGlyph(*painter, QRectF(cell.left(), cell.center().y() - 5, 10, 10), shape, color.fill);
    painter->setPen(color.text);
    painter->drawText(cell.adjusted(16, 0, 0, 0), Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight,
                                                        cell.width() - 16));
    painter->restore();
}

} // namespace ringmaster::app
