#pragma once

#include <QScrollArea>
#include <QVariantMap>

#include <map>

class QSplitter;

namespace ringmaster::app {

class Card;
class HostCharts;
class HostDetails;
class HostsCard;
class PreflightPanel;

/// Where the cards of the hosts' page are: one below the other, in a wide window beside each other,
/// with what was measured and what is known of one host below them where there is room. No card is
/// higher than what is in it.
class HostCards : public QScrollArea
{
    Q_OBJECT

public:
    /// Takes them.
    struct Parts
    {
        HostsCard* hosts = nullptr;
        PreflightPanel* preflight = nullptr;
        HostCharts* charts = nullptr;
        HostDetails* details = nullptr;
    };

    explicit HostCards(const Parts& parts, QWidget* parent = nullptr);

    void arrange();
    /// How somebody has shared the room.
    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void share(int hosts, int preflight);
    void showMoved();
    void showBelow(int above);

    Parts m_parts;
    QSplitter* m_cards;                            ///< One below the other, or beside each other.
    QSplitter* m_below;                            ///< Charts and details.
    std::map<Qt::Orientation, QList<int>> m_moved; ///< Sizes that somebody has given them.
};

} // namespace ringmaster::app
