#include "app/widget/PanelGrid.h"

#include "app/widget/FoldedBar.h"
#include "app/widget/Translated.h"

#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <utility>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {

/// Of the layout's state; that of another version isn't read.
constexpr int StateVersion = 1;
/// Two columns in less than this are too narrow to be of use.
constexpr int OneColumnBelow = 940;
constexpr int Nudge = 40;

} // namespace

PanelGrid::PanelGrid(const std::vector<PanelRow::Description>& rows, QWidget* parent)
    : QWidget(parent)
    , m_area(new QScrollArea(this))
    , m_splitter(new PanelSplitter(Qt::Vertical))
    , m_folded(new FoldedBar(this))
    , m_escape(new QShortcut(Qt::Key_Escape, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_area, 1);
    layout->addWidget(m_folded);
    build(rows);
    m_area->setWidget(m_splitter);
    m_splitter->setAutoFillBackground(false); // the scroll area has just set it
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->installEventFilter(this);
    m_area->viewport()->installEventFilter(this);
    m_arrange.setSingleShot(true);
    m_arrange.setInterval(0ms);
    connect(&m_arrange, &QTimer::timeout, this, &PanelGrid::arrange);
    connect(m_folded, &FoldedBar::unfoldRequested, this, &PanelGrid::bringForward);
    addKeys();
    translated(this, [this] { setTexts(); });
    arrange();
}

void PanelGrid::build(const std::vector<PanelRow::Description>& rows)
{
    for (const PanelRow::Description& row : rows) {
        m_rows.push_back(new PanelRow(row));
        m_splitter->addWidget(m_rows.back());
    }
    for (PanelPlace* place : places())
        connectPlace(place);
    for (const PanelSplitter* splitter : splitters())
        connect(splitter, &PanelSplitter::chosenNow, this, [this] { m_arrange.start(); });
}

void PanelGrid::connectPlace(PanelPlace* place)
{
    connect(place, &PanelPlace::changed, this, [this] { m_arrange.start(); });
    connect(place, &PanelPlace::foldRequested, this, [place] { place->setFolded(true); });
    connect(place, &PanelPlace::maximiseRequested, this, [this, place] {
        if (m_maximised == nullptr)
            maximise(place->current().key);
        else
            restore();
    });
}

void PanelGrid::addKeys()
{
    m_escape->setEnabled(false);
    connect(m_escape, &QShortcut::activated, this, &PanelGrid::restore);
    for (const Qt::Key arrow : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down}) {
        auto* key = new QShortcut(QKeySequence(Qt::CTRL | Qt::ALT | arrow), this);
        key->setContext(Qt::WidgetWithChildrenShortcut);
        connect(key, &QShortcut::activated, this, [this, arrow] { nudge(arrow); });
    }
}

bool PanelGrid::eventFilter(QObject* watched, QEvent* event)
{
    // The area's width decides on the columns: its view's is another one once it scrolls.
    if (event->type() == QEvent::Resize) {
        if (m_isArranging)
            m_arrange.start();
        else
            arrange();
    }
    return QWidget::eventFilter(watched, event);
}

void PanelGrid::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::StyleChange ||
        event->type() == QEvent::FontChange)
        m_arrange.start();
}

void PanelGrid::updateVisibility()
{
    if (m_maximised != nullptr && !m_maximised->hasAny())
        restore();
    for (PanelRow* row : m_rows)
        row->showPlaces(m_maximised);
    updateFolded();
}

void PanelGrid::updateFolded()
{
    std::vector<PanelPlace*> folded = places();
    std::erase_if(folded,
                  [](const PanelPlace* place) { return !place->isFolded() || !place->hasAny(); });
    m_folded->setPlaces(folded);
    m_folded->setVisible(!m_folded->isEmpty() && m_maximised == nullptr);
}

int PanelGrid::leastWidth(bool isOneColumn) const
{
    int least = 0;
    for (const PanelRow* row : m_rows)
        least = std::max(least, row->leastWidth(isOneColumn));
    return least;
}

void PanelGrid::setOneColumn(bool isOneColumn)
{
    if (std::exchange(m_isOneColumn, isOneColumn) == isOneColumn)
        return;
    const QVariantList sizes = std::exchange(m_otherSizes, chosenSizes());
    for (PanelRow* row : m_rows)
        row->setOrientation(isOneColumn ? Qt::Vertical : Qt::Horizontal);
    choose(sizes);
}

void PanelGrid::arrange()
{
    if (std::exchange(m_isArranging, true))
        return;
    m_arrange.stop();
    updateVisibility();
    setOneColumn(m_area->width() < std::max(OneColumnBelow, leastWidth(false)));
    m_area->setMinimumWidth(leastWidth(true) + m_area->verticalScrollBar()->sizeHint().width());
    arrangeRows(m_area->viewport()->width());
    m_isArranging = false;
}

void PanelGrid::arrangeRows(int width)
{
    std::vector<RowNeed> needs;
    int least = -m_splitter->handleWidth();
    for (const PanelRow* row : m_rows) {
        if (!row->isAnyShown())
            continue;
        needs.push_back(row->needIn(width));
        least += needs.back().least + m_splitter->handleWidth();
    }
    m_splitter->setMinimumHeight(std::max(0, least));
    const int gaps = std::max(0, static_cast<int>(needs.size()) - 1) * m_splitter->handleWidth();
    const std::vector<int> heights =
        rowHeights(needs, std::max(m_area->viewport()->height(), least) - gaps);
    QList<int> sizes;
    auto height = heights.begin();
    for (const PanelRow* row : m_rows)
        sizes << (row->isAnyShown() ? *height++ : 0);
    m_splitter->setDefaultSizes(sizes);
    for (PanelRow* row : m_rows)
        row->share(width);
}

std::vector<PanelPlace*> PanelGrid::places() const
{
    std::vector<PanelPlace*> all;
    for (const PanelRow* row : m_rows)
        all.insert(all.end(), row->places().begin(), row->places().end());
    return all;
}

PanelPlace* PanelGrid::placeOf(const QString& panel) const
{
    for (PanelPlace* place : places()) {
        if (place->has(panel))
            return place;
    }
    return nullptr;
}

PanelPlace* PanelGrid::placeWithFocus() const
{
    const QWidget* focused = window()->focusWidget();
    for (PanelPlace* place : places()) {
        if (focused != nullptr && place->isAncestorOf(focused))
            return place;
    }
    return nullptr;
}

void PanelGrid::setShown(const QString& panel, bool isShown)
{
    PanelPlace* place = placeOf(panel);
    if (place == nullptr)
        return;
    place->setShown(panel, isShown);
    if (isShown)
        bringForward(panel);
    arrange();
}

bool PanelGrid::isShown(const QString& panel) const
{
    const PanelPlace* place = placeOf(panel);
    return place != nullptr && place->isShown(panel);
}

void PanelGrid::bringForward(const QString& panel)
{
    PanelPlace* place = placeOf(panel);
    if (place == nullptr)
        return;
    if (m_maximised != nullptr && m_maximised != place)
        restore();
    place->setShown(panel, true);
    place->setFolded(false);
    place->bringForward(panel);
    arrange();
    m_area->ensureWidgetVisible(place, 0, 0);
}

void PanelGrid::maximise(const QString& panel)
{
    PanelPlace* place = placeOf(panel);
    if (place == nullptr)
        return;
    restore();
    bringForward(panel);
    m_maximised = place;
    place->setMaximised(true);
    m_escape->setEnabled(true);
    arrange();
}

void PanelGrid::maximiseFocused()
{
    const PanelPlace* wanted = placeWithFocus();
    const auto area = [](const PanelPlace* place) {
        return place == nullptr || place->isHidden() ? 0 : place->width() * place->height();
    };
    const std::vector<PanelPlace*> all = places();
    if (wanted == nullptr)
        wanted = *std::ranges::max_element(all, {}, area);
    maximise(wanted->current().key);
}

void PanelGrid::restore()
{
    if (m_maximised == nullptr)
        return;
    std::exchange(m_maximised, nullptr)->setMaximised(false);
    m_escape->setEnabled(false);
    arrange();
}

void PanelGrid::resetLayout()
{
    restore();
    m_otherSizes.clear();
    for (PanelSplitter* splitter : splitters())
        splitter->forget();
    for (PanelPlace* place : places()) {
        for (const GridPanel& panel : place->panels())
            place->setShown(panel.key, true);
        place->setFolded(false);
        place->bringForward(place->panels().front().key);
    }
    arrange();
}

std::vector<GridPanel> PanelGrid::panels() const
{
    std::vector<GridPanel> all;
    for (const PanelPlace* place : places())
        all.insert(all.end(), place->panels().begin(), place->panels().end());
    return all;
}

std::vector<PanelSplitter*> PanelGrid::splitters() const
{
    std::vector<PanelSplitter*> all{m_splitter};
    all.insert(all.end(), m_rows.begin(), m_rows.end());
    return all;
}

QVariantList PanelGrid::chosenSizes() const
{
    QVariantList sizes;
    for (const PanelSplitter* splitter : splitters())
        sizes << QVariant(splitter->chosen());
    return sizes;
}

void PanelGrid::choose(const QVariantList& sizes)
{
    const std::vector<PanelSplitter*> all = splitters();
    for (size_t i = 0; i < all.size(); ++i) {
        all[i]->forget();
        (void)all[i]->choose(sizes.value(static_cast<qsizetype>(i)).toList()); // else the default
    }
}

/// Up and down are between rows, or between the panels of one column.
void PanelGrid::nudge(Qt::Key arrow)
{
    const PanelPlace* place = placeWithFocus();
    if (place == nullptr || m_maximised != nullptr)
        return;
    const bool isHigher = arrow == Qt::Key_Up || arrow == Qt::Key_Down;
    const int by = arrow == Qt::Key_Down || arrow == Qt::Key_Right ? Nudge : -Nudge;
    for (PanelRow* row : m_rows) {
        const bool isInRow = row->isAncestorOf(place) && isHigher == row->isOneColumn();
        if (isInRow && row->nudge(place, by))
            return;
    }
    if (isHigher)
        m_splitter->nudge(place, by);
}

QVariantMap PanelGrid::saveState() const
{
    QStringList hidden;
    QStringList folded;
    QStringList inFront;
    for (const PanelPlace* place : places()) {
        for (const GridPanel& panel : place->panels()) {
            if (!place->isShown(panel.key))
                hidden << panel.key;
        }
        if (place->isFolded())
            folded << place->panels().front().key;
        inFront << place->current().key;
    }
    return {{QStringLiteral("version"), StateVersion},
            {QStringLiteral("hidden"), hidden},
            {QStringLiteral("folded"), folded},
            {QStringLiteral("inFront"), inFront},
            {QStringLiteral("rows"), m_isOneColumn ? m_otherSizes : chosenSizes()},
            {QStringLiteral("column"), m_isOneColumn ? chosenSizes() : m_otherSizes}};
}

void PanelGrid::restoreState(const QVariantMap& state)
{
    resetLayout();
    if (state.value(QStringLiteral("version")).toInt() != StateVersion)
        return;
    const QStringList hidden = state.value(QStringLiteral("hidden")).toStringList();
    const QStringList folded = state.value(QStringLiteral("folded")).toStringList();
    for (const QString& panel : state.value(QStringLiteral("inFront")).toStringList()) {
        if (PanelPlace* place = placeOf(panel))
            place->bringForward(panel);
    }
    for (PanelPlace* place : places()) {
        for (const GridPanel& panel : place->panels())
            place->setShown(panel.key, !hidden.contains(panel.key));
        place->setFolded(folded.contains(place->panels().front().key));
    }
    const QVariantList rows = state.value(QStringLiteral("rows")).toList();
    const QVariantList column = state.value(QStringLiteral("column")).toList();
    m_otherSizes = m_isOneColumn ? rows : column;
    choose(m_isOneColumn ? column : rows);
    arrange();
}

void PanelGrid::setTexts()
{
    for (PanelSplitter* splitter : splitters())
        splitter->nameHandles(tr("Between two panels (Ctrl+Alt and an arrow key)"));
    m_folded->setAccessibleName(tr("Folded panels"));
    m_arrange.start();
}

} // namespace ringmaster::app
