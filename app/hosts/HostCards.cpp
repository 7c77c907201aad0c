#include "app/hosts/HostCards.h"

#include "app/hosts/HostCharts.h"
#include "app/hosts/HostDetails.h"
#include "app/hosts/HostsCard.h"
#include "app/hosts/PreflightPanel.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

namespace {

/// Below, the page is one column that scrolls, instead of each of its parts.
constexpr int OneColumn = 1000;
/// From here on there is room for the cards beside each other.
constexpr int CardsBeside = 1450;
/// What charts and details need below them.
constexpr int LeastBelow = 360;
constexpr int MostBelow = 1000;
constexpr int Gap = 12;

QString keyOf(Qt::Orientation orientation)
{
    return orientation == Qt::Vertical ? QStringLiteral("sharedHeights")
                                       : QStringLiteral("sharedWidths");
}

QVariantList toVariants(const QList<int>& sizes)
{
    QVariantList list;
    for (const int size : sizes)
        list << size;
    return list;
}

} // namespace

HostCards::HostCards(const Parts& parts, QWidget* parent)
    : QScrollArea(parent)
    , m_parts(parts)
    , m_cards(new QSplitter(Qt::Vertical))
    , m_below(new QSplitter(Qt::Horizontal))
{
    m_cards->addWidget(parts.hosts);
    m_cards->addWidget(parts.preflight);
    m_below->addWidget(parts.charts);
    m_below->addWidget(parts.details);
    m_below->setSizes({640, 360});
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Gap);
    for (QSplitter* splitter : {m_cards, m_below}) {
        splitter->setHandleWidth(Gap);
        splitter->setChildrenCollapsible(false);
        layout->addWidget(splitter, 1);
    }
    m_below->hide();
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setWidget(body);
    body->setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
    connect(m_cards, &QSplitter::splitterMoved, this,
            [this] { m_moved[m_cards->orientation()] = m_cards->sizes(); });
    // Its heights are known once its parts have theirs.
    connect(parts.preflight, &Card::heightChanged, this, &HostCards::arrange, Qt::QueuedConnection);
    connect(parts.hosts, &TwinCard::tableShown, this, &HostCards::arrange, Qt::QueuedConnection);
}

QVariantMap HostCards::saveState() const
{
    QVariantMap state;
    for (const auto& [orientation, sizes] : m_moved)
        state.insert(keyOf(orientation), toVariants(sizes));
    return state;
}

void HostCards::restoreState(const QVariantMap& state)
{
    m_moved.clear();
    for (const Qt::Orientation orientation : {Qt::Vertical, Qt::Horizontal}) {
        QList<int> sizes;
        for (const QVariant& size : state.value(keyOf(orientation)).toList())
            sizes << size.toInt();
        if (sizes.size() == 2)
            m_moved[orientation] = sizes;
    }
    showMoved();
    arrange();
}

void HostCards::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    arrange();
}

/// As somebody has shared the room between the cards.
void HostCards::showMoved()
{
    if (const auto moved = m_moved.find(m_cards->orientation()); moved != m_moved.end())
        m_cards->setSizes(moved->second);
}

void HostCards::arrange()
{
    HostsCard& hostsCard = *m_parts.hosts;
    PreflightPanel& preflightCard = *m_parts.preflight;
    const Qt::Orientation wanted = width() >= CardsBeside ? Qt::Horizontal : Qt::Vertical;
    if (wanted != m_cards->orientation()) {
        m_cards->setOrientation(wanted);
        showMoved();
    }
    const bool isBeside = wanted == Qt::Horizontal;
    hostsCard.setRoom(isBeside ? hostsCard.width() : width(),
                      isBeside ? height()
                               : height() - m_cards->handleWidth() -
                                     preflightCard.heightIn(width()).wanted);
    const auto heightOf = [&](const Card& card) {
        return card.heightIn(isBeside ? card.width() : m_cards->width()).wanted;
    };
    const int hosts = heightOf(hostsCard);
    const int preflight = heightOf(preflightCard);
    // No higher than what is in them: an empty frame says nothing.
    const int both = std::max(hosts, preflight);
    const bool isOneColumn = width() < OneColumn;
    hostsCard.setMinimumHeight(isOneColumn ? hosts : 0);
    preflightCard.setMinimumHeight(isOneColumn ? preflight : 0);
    hostsCard.setMaximumHeight(isBeside ? both : hosts);
    preflightCard.setMaximumHeight(isBeside ? both : preflight);
    showBelow(isBeside ? both : hosts + m_cards->handleWidth() + preflight);
    share(hosts, preflight);
}

/// Of the height, `above` is what the cards above need.
void HostCards::showBelow(int above)
{
    const int room = height() - above - Gap;
    const bool isRoom = width() >= OneColumn && room >= LeastBelow;
    m_below->setVisible(isRoom);
    m_below->setMaximumHeight(isRoom ? std::min(room, MostBelow) : QWIDGETSIZE_MAX);
    // What nobody has a use for stays below them: a layout would share it around them.
    const int spare = isRoom ? room - m_below->maximumHeight() : height() - above;
    widget()->layout()->setContentsMargins(0, 0, 0, std::max(0, spare));
}

/// Unless somebody has moved the handle, the preflight has what it needs and the hosts the rest.
void HostCards::share(int hosts, int preflight)
{
    const Qt::Orientation orientation = m_cards->orientation();
    if (m_moved.contains(orientation))
        return;
    if (orientation == Qt::Horizontal)
        return m_cards->setSizes({500, 500});
    const int room = viewport()->height() - m_cards->handleWidth();
    const int below = std::min(preflight, std::max(room - hosts, room / 2));
    m_cards->setSizes({std::min(hosts, std::max(1, room - below)), below});
}

} // namespace ringmaster::app
