#include "app/jobs/TileHeading.h"

#include "app/bridge/Words.h"
#include "app/model/WorkerTableModel.h"
#include "app/widget/SizedFont.h"
#include "app/widget/StateLook.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <optional>

namespace ringmaster::app::tileheading {

namespace {

using State = HostChanged::State;

constexpr int LineHeight = 15;
constexpr int GlyphSize = 9;
constexpr int GlyphRoom = GlyphSize + 5;
constexpr int Gap = 10; ///< Between name and state in one line.

QFont nameFont(const QFont& font)
{
    return sized(font, 12, QFont::DemiBold);
}

QFont stateFont(const QFont& font)
{
    return sized(font, 11, QFont::Normal);
}

QString nameOf(const QModelIndex& worker)
{
    return worker.data(WorkerTableModel::HeadingRole).toString();
}

std::optional<State> stateOf(const QModelIndex& worker)
{
    const QVariant state = worker.data(WorkerTableModel::HostStateRole);
    return state.isValid() ? std::optional(static_cast<State>(state.toInt())) : std::nullopt;
}

} // namespace

int widthOf(const QModelIndex& firstWorker, const QFont& font)
{
    int width = QFontMetrics(nameFont(font)).horizontalAdvance(nameOf(firstWorker));
    if (!stateOf(firstWorker))
        return width;
    width += Gap + GlyphSize; // in one line it has no word
    const QFontMetrics metrics(stateFont(font));
    for (const State state : {State::Connecting, State::Connected, State::Lost, State::Gone,
                              State::Finished, State::StandingBy, State::Reconnecting})
        width = std::max(width, GlyphRoom + metrics.horizontalAdvance(word(state)));
    return width;
}

void paint(QPainter& painter, const QRect& rect, const QModelIndex& firstWorker, const QFont& font)
{
    const bool isTwoLines = rect.height() >= 2 * LineHeight;
    // Beside a high tile it stands as high as the tile's rank.
    const int top = isTwoLines ? std::min(7, (rect.height() - 2 * LineHeight) / 2) : 0;
    const QRect line(rect.left(), rect.top() + top, rect.width(),
                     isTwoLines ? LineHeight : rect.height());
    const QFont bold = nameFont(font);
    const QString name =
        QFontMetrics(bold).elidedText(nameOf(firstWorker), Qt::ElideMiddle, line.width());
    painter.setFont(bold);
    painter.setPen(themeTokens().text);
    painter.drawText(line, Qt::AlignVCenter, name);
    const std::optional<State> state = stateOf(firstWorker);
    if (!state)
        return;
    const QFont small = stateFont(font);
    const QRect rest =
        isTwoLines ? line.translated(0, LineHeight)
                   : line.adjusted(QFontMetrics(bold).horizontalAdvance(name) + Gap, 0, 0, 0);
    const StateLook look = lookOf(*state, themeTokens());
    paintGlyph(
        painter,
        QRectF(rest.left(), rest.top() + (rest.height() - GlyphSize) / 2.0, GlyphSize, GlyphSize),
        look.shape, look.color.fill);
    const QRect text = rest.adjusted(GlyphRoom, 0, 0, 0);
    if (QFontMetrics(small).horizontalAdvance(word(*state)) > text.width())
        return;
    painter.setFont(small);
    painter.setPen(look.color.text);
    painter.drawText(text, Qt::AlignVCenter, word(*state));
}

QString toolTipOf(const QModelIndex& firstWorker)
{
    const std::optional<State> state = stateOf(firstWorker);
    const QString name = nameOf(firstWorker);
    if (!state)
        return name;
    const QString note = firstWorker.data(WorkerTableModel::HostNoteRole).toString();
    const QString head = QStringLiteral("%1  %2").arg(name, word(*state));
    return note.isEmpty() ? head : head + u'\n' + note;
}

} // namespace ringmaster::app::tileheading
