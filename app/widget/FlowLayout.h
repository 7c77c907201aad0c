#pragma once

#include <QLayout>
#include <QList>

#include <vector>

namespace ringmaster::app {

/// Items one after the other, in as many lines as the width needs. Even lines are about as long as
/// each other: none stands alone in the last one because of a few pixels.
class FlowLayout : public QLayout
{
public:
    enum class Lines { Full, Even };

    explicit FlowLayout(QWidget* parent = nullptr, int spacing = 6, Lines lines = Lines::Full);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override;
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize minimumSize() const override;
    QSize sizeHint() const override { return minimumSize(); }
    void setGeometry(const QRect& rect) override;

private:
    /// Where each item goes, in lines that are no longer than `width`.
    std::vector<QRect> placesIn(int width) const;
    /// The least width that needs no more lines than this one.
    int evenWidth(int width) const;

    Lines m_lines;
    QList<QLayoutItem*> m_items;
};

} // namespace ringmaster::app
