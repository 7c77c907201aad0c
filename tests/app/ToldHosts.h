#pragma once

#include "app/jobs/HostStrip.h"
#include "app/jobs/TileHeading.h"
#include "app/jobs/WorkerTiles.h"

#include <QStringList>

namespace ringmaster::app {

/// What a job's page says of its hosts, "gpu1  connected", by name: by headings of the tiles and
/// by badges. What is said twice is there twice.
inline QStringList toldHosts(const QWidget& page)
{
    QStringList told;
    for (const HostBadge* badge : page.findChildren<HostBadge*>())
        told << badge->accessibleName();
    const auto* tiles = page.findChild<WorkerTiles*>();
    for (const QModelIndex& worker : tiles->isHidden() ? QModelIndexList() : tiles->headings())
        told << tileheading::toolTipOf(worker).section(u'\n', 0, 0);
    told.sort();
    return told;
}

} // namespace ringmaster::app
