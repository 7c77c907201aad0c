#include "app/jobs/TilePainter.h"
#include "app/model/WorkerTableModel.h"
#include "app/widget/Tokens.h"

#include <QImage>
#include <QPainter>
#include <QStandardItemModel>
#include <QtTest>

#include <algorithm>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

using Tile = TileLayout::Tile;
const QRect Room(0, 0, 200, 100);

} // namespace

class tst_tile_painter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_model.clear();
        auto* item = new QStandardItem;
        item->setData(3, WorkerTableModel::RankRole);
        item->setData(static_cast<int>(Health::Running), WorkerTableModel::HealthRole);
        item->setData(QStringLiteral("Running"), WorkerTableModel::WordRole);
        item->setData(QStringLiteral("pid 4711"), WorkerTableModel::NoteRole);
        item->setData(false, WorkerTableModel::FirstCauseRole);
        m_model.appendRow(item);
    }

    void thePartsOfATileStandOneBelowTheOther()
    {
        for (const int height : {TileLayout::LeastWholeHeight, 92}) {
            const auto parts = TilePainter::partsOf({10, 20, 180, height});
            QVERIFY(parts.inner.top() < parts.note.top());
            QVERIFY(parts.note.top() < parts.load.top());
            QVERIFY(parts.load.bottom() <= parts.inner.bottom());
            QCOMPARE(parts.note.left(), parts.inner.left());
        }
    }

    void aFlatTileHasNoNote()
    {
        const QRect note = TilePainter::partsOf(Room).note;
        const QImage whole = tile({.tile = Tile::Whole});
        const QImage flat = tile({.tile = Tile::Flat});
        QVERIFY(colorsIn(whole.copy(note)) > 1);
        QCOMPARE(colorsIn(flat.copy(note)), 1);
    }

    void theSelectedOneHasTheAccent()
    {
        const QRgb edge = QColor(themeTokens().accent).rgb();
        QVERIFY(!has(tile({}), edge));
        QVERIFY(has(tile({.isSelected = true}), edge));
    }

    void theFirstCauseIsCalledSo()
    {
        const QImage before = tile({});
        m_model.item(0)->setData(true, WorkerTableModel::FirstCauseRole);
        QVERIFY(tile({}) != before);
    }

    void whatIsNotWantedIsLeftOut()
    {
        const QRect load = TilePainter::partsOf(Room).load;
        const auto parts = TilePainter::partsOf(Room);
        const QRect head(parts.inner.topLeft(), QPoint(parts.inner.right(), parts.note.top() - 1));
        QVERIFY(colorsIn(tile({}).copy(head)) > colorsIn(tile({}, load).copy(head)));
    }

    void cellsDifferByHealthAndAreDrawnAnewWhenAsked()
    {
        TilePainter painter;
        const QImage running = cell(painter, false);
        QCOMPARE(cell(painter, false), running);
        QVERIFY(cell(painter, true) != running);
        m_model.item(0)->setData(static_cast<int>(Health::Failed), WorkerTableModel::HealthRole);
        const QImage failed = cell(painter, false);
        QVERIFY(failed != running);
        painter.forgetCells();
        QCOMPARE(cell(painter, false), failed);
    }

private:
    QImage tile(const TilePainter::Style& style, const QRegion& wanted = Room) const
    {
        QImage image(Room.size(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        TilePainter::paintTile(painter, m_model.index(0, 0), Room, style, wanted);
        return image;
    }
    QImage cell(TilePainter& cells, bool isSelected) const
    {
        QImage image(TileLayout::HeatCell, TileLayout::HeatCell, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        cells.paintCell(painter, m_model.index(0, 0), image.rect(), isSelected);
        return image;
    }
    static int colorsIn(const QImage& image)
    {
        QSet<QRgb> colors;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                colors.insert(image.pixel(x, y));
        return static_cast<int>(colors.size());
    }
    static bool has(const QImage& image, QRgb color)
    {
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixel(x, y) == color)
                    return true;
        return false;
    }

    QStandardItemModel m_model;
};

QTEST_MAIN(tst_tile_painter)
#include "tst_tile_painter.moc"
