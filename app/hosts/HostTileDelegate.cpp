#include "app/hosts/HostTileDelegate.h"

#include "app/hosts/HostListModel.h"
#include "app/widget/FieldText.h"
#include "app/widget/SizedFont.h"
#include "app/widget/SparkLine.h"

#include <QApplication>
#include <QListView>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace ringmaster::app {

namespace {

constexpr int LineHeight = 18;

QString elided(const QPainter& painter, const QString& text, int width)
{
    return painter.fontMetrics().elidedText(text, Qt::ElideRight, width);
}

/// The view keeps the place of a bar that it may need.
int roomFor(const QListView& view)
{
    return view.maximumViewportSize().width() -
           view.style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, view.verticalScrollBar());
}

} // namespace

HostTileDelegate::HostTileDelegate(const HostListModel& hosts, QObject* parent)
    : QStyledItemDelegate(parent), m_hosts(hosts)
{
}

void HostTileDelegate::setTile(Tile tile)
{
    if (std::exchange(m_tile, tile) != tile)
        Q_EMIT sizeHintChanged({});
}

int HostTileDelegate::heightOf(Tile tile)
{
    return tile == Tile::Whole ? 130 : 52;
}

int HostTileDelegate::leastWidthOf(Tile tile)
{
    return tile == Tile::Whole ? 316 : 224;
}

int HostTileDelegate::heightIn(int width, int gap, int tiles, Tile tile)
{
    const int inARow = std::max(1, (width - 2 * gap) / (leastWidthOf(tile) + gap));
    const int rows = (tiles + inARow - 1) / inARow;
    return rows * (heightOf(tile) + gap) + 2 * gap;
}

/// A row of them fills the view, unless each would become very wide.
QSize HostTileDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    constexpr int Widest = 400;
    const auto* view = qobject_cast<const QListView*>(option.widget);
    const int least = leastWidthOf(m_tile);
    const int height = heightOf(m_tile);
    if (view == nullptr)
        return {least, height};
    const int gap = view->spacing();
    const int room = roomFor(*view) - 2 * gap;
    const int inARow = std::clamp(room / (least + gap), 1, std::max(1, m_hosts.rowCount()));
    return {std::clamp(room / inARow - gap, least, Widest), height};
}

void HostTileDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const
{
    const Tokens& tokens = themeTokens();
    const HostRow& row = m_hosts.at(index.row());
    const StateLook look = lookOf(stateOf(row), tokens);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(
        QPen(isSelected ? tokens.accent : withAlpha(look.color.fill, 0.65), isSelected ? 2 : 1));
    painter->setBrush(withAlpha(look.color.fill, tokens.isDark ? 0.11 : 0.06));
    painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 7, 7);
    const QRect inner = option.rect.adjusted(12, 8, -12, -8);
    paintHead(*painter, inner, row);
    if (m_tile == Tile::Low) {
        paintLine(*painter, {inner.left(), inner.top() + LineHeight, inner.width(), LineHeight},
                  row);
        painter->restore();
        return;
    }
    const QRect area = inner.adjusted(0, 2 * LineHeight + 4, 0, 0);
    if (row.facts() != nullptr) {
        paintFacts(*painter, area, row);
    } else {
        painter->setFont(sized(option.font, 12, QFont::Normal));
        painter->setPen(row.report ? look.color.text : tokens.mutedText);
        painter->drawText(area, Qt::AlignTop | Qt::TextWordWrap, problemText(row));
    }
    painter->restore();
}

void HostTileDelegate::paintHead(QPainter& painter, const QRect& inner, const HostRow& row) const
{
    const Tokens& tokens = themeTokens();
    const HostState state = stateOf(row);
    const StateLook look = lookOf(state, tokens);
    const QFont small = sized(painter.font(), 12, QFont::DemiBold);
    painter.setFont(small);
    const QString stateWord = word(state);
    const int wordWidth = painter.fontMetrics().horizontalAdvance(stateWord);
    const QRect line(inner.left(), inner.top(), inner.width(), LineHeight);
    paintGlyph(painter, QRectF(line.right() - wordWidth - 15, line.top() + 5, 10, 10), look.shape,
               look.color.fill);
    painter.setPen(look.color.text);
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, stateWord);
    painter.setFont(sized(painter.font(), 15, QFont::DemiBold));
    painter.setPen(tokens.text);
    painter.drawText(
        line, Qt::AlignVCenter,
        elided(painter, QString::fromStdString(row.host.name), line.width() - wordWidth - 24));
    if (m_tile == Tile::Low)
        return;
    QString about = HostTileDelegate::tr("slots: %1").arg(slotsText(row.host));
    if (!row.host.groups.empty())
        about += QStringLiteral(" · ") + listText(row.host.groups);
    if (row.host.sshDestination() != row.host.name)
        about += QStringLiteral(" · ssh ") + QString::fromStdString(row.host.sshDestination());
    if (row.watch)
        about += QStringLiteral(" · ") + HostTileDelegate::tr("jobs: %1").arg(jobsText(row));
    painter.setFont(sized(painter.font(), 12, QFont::Normal));
    painter.setPen(tokens.mutedText);
    painter.drawText(line.translated(0, LineHeight), Qt::AlignVCenter,
                     elided(painter, about, line.width()));
}

/// The whole of it is the tile's tool tip.
void HostTileDelegate::paintLine(QPainter& painter, const QRect& line, const HostRow& row) const
{
    const Tokens& tokens = themeTokens();
    const QString problem = problemText(row);
    const bool isReady = row.facts() != nullptr;
    painter.setFont(sized(painter.font(), 12, QFont::Normal));
    painter.setPen(!problem.isEmpty() && row.report ? lookOf(stateOf(row), tokens).color.text
                                                    : tokens.mutedText);
    QStringList parts;
    if (!problem.isEmpty())
        parts << problem.section(u'\n', 0, 0);
    else if (isReady)
        parts << HostTileDelegate::tr("%1 cores, load %2").arg(coresText(row), loadText(row))
              << gpusShortText(row);
    else
        parts << HostTileDelegate::tr("slots: %1").arg(slotsText(row.host));
    painter.drawText(line, Qt::AlignVCenter,
                     elided(painter, parts.join(QStringLiteral(" · ")), line.width()));
}

void HostTileDelegate::paintFacts(QPainter& painter, const QRect& area, const HostRow& row) const
{
    const Tokens& tokens = themeTokens();
    QRect line(area.left(), area.top(), area.width(), LineHeight);
    painter.setFont(sized(painter.font(), 12, QFont::Normal));
    paintQuantity(painter, line,
                  HostTileDelegate::tr("%1 cores, load %2").arg(coresText(row), loadText(row)),
                  row.load);
    line.translate(0, LineHeight);
    if (const QString problem = problemText(row); !problem.isEmpty()) {
        painter.setPen(tokens.warning.text);
        painter.drawText(area.adjusted(0, LineHeight, 0, 0), Qt::AlignTop | Qt::TextWordWrap,
                         problem);
        return;
    }
    paintQuantity(painter, line, memoryText(row), row.memory);
    line.translate(0, LineHeight);
    paintQuantity(painter, line, gpusShortText(row), row.gpuMemory);
    line.translate(0, LineHeight);
    painter.setPen(tokens.mutedText);
    // "+cu130" is in the table.
    const QString torch = torchText(row).section(u'+', 0, 0);
    const QString versions =
        QStringLiteral("torch %1 · NCCL %2 · %3").arg(torch, ncclText(row), clockOffsetText(row));
    painter.drawText(line, Qt::AlignVCenter, elided(painter, versions, line.width()));
}

void HostTileDelegate::paintQuantity(QPainter& painter, const QRect& line, const QString& text,
                                     const std::vector<float>& samples) const
{
    constexpr int SparkWidth = 70;
    // One sample is a number, not a course.
    const bool hasCourse = samples.size() > 1;
    const int width = line.width() - (hasCourse ? SparkWidth + 8 : 0);
    painter.setPen(themeTokens().text);
    painter.drawText(line, Qt::AlignVCenter, elided(painter, text, width));
    if (hasCourse)
        paintSparkLine(
            painter,
            QRectF(line.right() - SparkWidth, line.top() + 3, SparkWidth, line.height() - 6),
            samples, 1.0F, themeTokens().running.fill);
}

void HostStateDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    QStyleOptionViewItem background = option;
    initStyleOption(&background, index);
    background.text.clear();
    const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &background, painter, option.widget);
    const auto state = static_cast<HostState>(index.data(HostListModel::StateRole).toInt());
    const StateLook look = lookOf(state, themeTokens());
    const QRect cell = option.rect.adjusted(8, 0, -4, 0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintGlyph(*painter, QRectF(cell.left(), cell.center().y() - 5, 10, 10), look.shape,
               look.color.fill);
    painter->setPen(look.color.text);
    painter->drawText(cell.adjusted(16, 0, 0, 0), Qt::AlignVCenter, word(state));
    painter->restore();
}

} // namespace ringmaster::app
