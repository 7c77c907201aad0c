#include "app/learn/MomentPanel.h"

#include "app/learn/LaneView.h"
#include "app/learn/LessonPicture.h"
#include "app/learn/MemoryView.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QBuffer>
#include <QButtonGroup>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStackedWidget>
#include <QSvgGenerator>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace ringmaster::app {

MomentPanel::MomentPanel(LessonPlayer& player, QWidget* parent)
    : Card(parent)
    , m_player(player)
    , m_views{new QToolButton(this), new QToolButton(this), new QToolButton(this),
              new QToolButton(this)}
    , m_happening(new QLabel(this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new QLabel(this))
    , m_picture(new LessonPicture(this))
    , m_lanes(new LaneView(player, this))
    , m_memory(new MemoryView(player, this))
    , m_ringTable(new QTableView(this))
    , m_sceneTable(new QTableView(this))
    , m_stepTable(new QTableView(this))
    , m_findings(new QLabel(this))
    , m_origin(new QLabel(this))
{
    build();
    connectControls();
    translated(this, [this] { setTexts(); });
}

void MomentPanel::build()
{
    auto* group = new QButtonGroup(this);
    for (int view = 0; view < 4; ++view) {
        m_views[view]->setCheckable(true);
        setLook(m_views[view], "flat");
        group->addButton(m_views[view], view);
        addHeaderWidget(m_views[view]);
    }
    m_views[0]->setChecked(true);
    connect(group, &QButtonGroup::idClicked, m_stack, &QStackedWidget::setCurrentIndex);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    setLook(m_empty, "muted");
    auto* picture = new QWidget(this);
    auto* layers = new QVBoxLayout(picture);
    layers->setContentsMargins(0, 0, 0, 0);
    layers->addWidget(m_empty, 1);
    layers->addWidget(m_picture, 1);
    layers->addWidget(m_memory);
    layers->addWidget(m_lanes);
    m_stack->addWidget(picture);
    m_stack->addWidget(m_sceneTable);
    m_stack->addWidget(m_stepTable);
    m_stack->addWidget(m_ringTable);
    buildTables();
    m_findings->setWordWrap(true);
    // A lesson's file may come from anybody.
    m_findings->setTextFormat(Qt::PlainText);
    m_happening->setTextFormat(Qt::PlainText);
    m_findings->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setLook(m_origin, "muted");
    m_origin->setWordWrap(true);
    m_happening->setWordWrap(true);
    content()->addWidget(m_happening);
    content()->addWidget(m_stack, 1);
    content()->addWidget(m_findings);
    content()->addWidget(m_origin);
}

void MomentPanel::buildTables()
{
    m_sceneTable->setModel(&m_scene);
    m_stepTable->setModel(&m_steps);
    m_ringTable->setModel(&m_ringSteps);
    for (QTableView* table : {m_sceneTable, m_stepTable, m_ringTable})
        dressTable(*table);
    m_ringTable->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_ringTable->verticalHeader()->setVisible(true);
    m_ringTable->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_ringTable->setWordWrap(true);
    m_stepTable->setColumnWidth(StepTableModel::Number, 50);
    m_stepTable->setColumnWidth(StepTableModel::Time, 76);
    m_stepTable->setColumnWidth(StepTableModel::Held, 76);
    m_stepTable->setColumnWidth(StepTableModel::Rank, 66);
    m_stepTable->setColumnWidth(StepTableModel::Line, 50);
    m_stepTable->setColumnWidth(StepTableModel::What, 190);
    m_sceneTable->setColumnWidth(SceneTableModel::Line, 50);
}

void MomentPanel::connectControls()
{
    connect(&m_player, &LessonPlayer::progressed, this,
            [this] { m_picture->setProgress(m_player.progress()); });
    connect(m_picture, &LessonPicture::rankChosen, this, &MomentPanel::selectRank);
    connect(m_picture, &LessonPicture::stepWanted, &m_player, &LessonPlayer::stepRank);
    connect(m_sceneTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (m_sceneTable->isVisible() && index.isValid())
                    selectRank(index.data(SceneTableModel::RankRole).toInt());
            });
    const auto goTo = [this](const QModelIndex& index) {
        m_player.pause();
        m_player.go(static_cast<size_t>(index.row()));
    };
    connect(&m_ringSteps, &QAbstractItemModel::modelReset, m_ringTable,
            [this] { m_ringTable->resizeRowsToContents(); });
    connect(m_ringTable, &QTableView::clicked, this, [this](const QModelIndex& index) {
        const int step = index.data(RingStepModel::StepRole).toInt();
        m_player.pause();
        if (step >= 0)
            m_player.go(static_cast<size_t>(step));
    });
    connect(m_views[Ring], &QToolButton::toggled, this, [this] { refreshRing(); });
    connect(m_stepTable, &QTableView::clicked, this, goTo);
    connect(m_stepTable, &QTableView::activated, this, goTo);
}

void MomentPanel::refresh(const QString& emptyText)
{
    const LessonScene scene = sceneOf(m_player);
    const bool hasSteps = m_player.size() > 0;
    if (!hasSteps)
        m_selectedRank = -1;
    m_empty->setText(emptyText);
    m_empty->setVisible(!hasSteps);
    m_picture->setVisible(hasSteps);
    m_picture->show(scene, m_player.progress());
    m_picture->setSelectedRank(m_selectedRank);
    m_scene.show(scene);
    m_steps.show(m_player.run());
    setTitle(hasSteps ? tr("Step %1").arg(m_player.position() + 1) : tr("What happens"));
    m_happening->setText(scene.title);
    m_happening->setVisible(hasSteps);
    QStringList findings;
    for (const QString& finding : scene.findings)
        findings << QStringLiteral("▲ ") + finding;
    for (const QString& note : scene.notes)
        findings << QStringLiteral("· ") + note;
    m_findings->setText(findings.join(u'\n'));
    m_findings->setVisible(!findings.isEmpty());
    m_origin->setText(scene.origin);
    m_origin->setVisible(!scene.origin.isEmpty());
    refreshRing();
    arrangeLanes();
    if (hasSteps && m_stepTable->isVisible())
        m_stepTable->selectRow(static_cast<int>(m_player.position()));
}

/// Read only while somebody looks at it.
void MomentPanel::refreshRing()
{
    const bool hasRing =
        m_player.size() > 0 && !m_player.run()->recording().latest().ringOperations().empty();
    m_views[Ring]->setVisible(hasRing);
    if (!hasRing && m_views[Ring]->isChecked())
        m_views[0]->click();
    if (!hasRing || !m_views[Ring]->isChecked())
        return;
    m_ringSteps.show(&m_player.run()->recording(), m_player.position());
    if (m_ringSteps.current().isValid())
        m_ringTable->setCurrentIndex(m_ringSteps.current());
}

/// Beneath the picture, where that keeps enough room: what the lesson is about first.
void MomentPanel::arrangeLanes()
{
    constexpr int LeastForThePicture = 230;
    int room = m_stack->height() - LeastForThePicture;
    m_memory->refresh();
    m_lanes->refresh();
    const auto arrange = [&room](QWidget* view, bool isEmpty) {
        const int height = view->sizeHint().height();
        const bool isShown = !isEmpty && room >= height;
        room -= isShown ? height : 0;
        view->setVisible(isShown);
        view->updateGeometry();
        view->update();
    };
    arrange(m_memory, m_memory->isEmpty());
    arrange(m_lanes, m_lanes->isEmpty());
}

void MomentPanel::setBars(std::vector<std::string> names)
{
    m_memory->setNames(std::move(names));
}

void MomentPanel::resizeEvent(QResizeEvent* event)
{
    Card::resizeEvent(event);
    arrangeLanes();
}

void MomentPanel::setPresenting(bool isOn, double typeScale)
{
    constexpr double GrowthInAHall = 2.2;
    if (isOn)
        m_picture->setTypeScale(typeScale, GrowthInAHall);
    else
        m_picture->setTypeScale(typeScale);
    m_lanes->setTypeScale(isOn ? 1.2 : 1);
    m_memory->setTypeScale(isOn ? 1.2 : 1);
}

void MomentPanel::selectRank(int rank)
{
    if (rank == m_selectedRank)
        return;
    m_selectedRank = rank;
    m_picture->setSelectedRank(rank);
    const QModelIndex current = m_sceneTable->currentIndex();
    const bool isThere =
        current.isValid() && current.data(SceneTableModel::RankRole).toInt() == rank;
    if (const int row = m_scene.rowOf(rank); row >= 0 && !isThere)
        m_sceneTable->selectRow(row);
}

QByteArray MomentPanel::svg() const
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(m_picture->size());
    generator.setViewBox(m_picture->rect());
    QPainter painter(&generator);
    painter.fillRect(m_picture->rect(), themeTokens().card);
    m_picture->paint(painter, m_picture->rect());
    painter.end();
    return bytes;
}

QByteArray MomentPanel::png() const
{
    // Twice as fine as on the screen, for papers and slides.
    constexpr int Scale = 2;
    QImage image(m_picture->size() * Scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(Scale);
    image.fill(themeTokens().card);
    QPainter painter(&image);
    m_picture->paint(painter, m_picture->rect());
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

void MomentPanel::setTexts()
{
    const QString views[] = {tr("Picture"), tr("Table"), tr("Steps"), tr("Ring")};
    for (int view = 0; view < 4; ++view)
        m_views[view]->setText(views[view]);
    m_picture->setAccessibleName(tr("The ranks; the table has the same content"));
    m_sceneTable->setAccessibleName(tr("The ranks, as a table"));
    m_stepTable->setAccessibleName(tr("Steps of the recording"));
    m_ringTable->setAccessibleName(tr("What came to each rank in each step of the ring"));
    m_views[Ring]->setToolTip(tr("A row a step of the algorithm, a column a rank"));
}

} // namespace ringmaster::app
