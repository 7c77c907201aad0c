#include "app/editor/ChecksPanel.h"

#include "app/widget/StateLook.h"
#include "app/widget/Translated.h"

#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QVBoxLayout>

namespace ringmaster::app {

namespace {

constexpr int GlyphSpace = 24;
constexpr int Margin = 5;

/// A shape in the severity's colour, then the sentence on as many lines as it needs.
class FindingDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        QStyleOptionViewItem background = option;
        initStyleOption(&background, index);
        background.text.clear();
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &background, painter,
                                            option.widget);
        const auto [color, shape] = look(index, themeTokens());
        const int line = option.fontMetrics.height();
        const QRectF glyph(option.rect.left() + 6, option.rect.top() + Margin + (line - 11) / 2.0,
                           11, 11);
        paintGlyph(*painter, glyph, shape, color.fill);
        painter->setPen(color.text);
        painter->drawText(textRect(option), Qt::TextWordWrap, index.data().toString());
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto* view = qobject_cast<const QListView*>(option.widget);
        QStyleOptionViewItem wide = option;
        wide.rect.setWidth(view != nullptr ? view->viewport()->width() : 300);
        wide.rect.setHeight(10'000);
        const QRect bounds = option.fontMetrics.boundingRect(textRect(wide), Qt::TextWordWrap,
                                                             index.data().toString());
        return {wide.rect.width(), bounds.height() + 2 * Margin};
    }

private:
    static QRect textRect(const QStyleOptionViewItem& option)
    {
        return option.rect.adjusted(GlyphSpace, Margin, -6, -Margin);
    }

    static std::pair<Tokens::State, Glyph> look(const QModelIndex& index, const Tokens& tokens)
    {
        switch (static_cast<Finding::Severity>(index.data(ChecksModel::SeverityRole).toInt())) {
        case Finding::Severity::Ok: return {tokens.finished, Glyph::Tick};
        case Finding::Severity::Warning: return {tokens.warning, Glyph::Triangle};
        case Finding::Severity::Error: return {tokens.failed, Glyph::Cross};
        }
        return {tokens.neutral, Glyph::Circle};
    }
};

} // namespace

ChecksPanel::ChecksPanel(QWidget* parent) : Card(parent), m_view(new QListView(this))
{
    setLook(m_view, "framed");
    m_view->setModel(&m_model);
    m_view->setItemDelegate(new FindingDelegate(m_view));
    m_view->setWordWrap(true);
    m_view->setResizeMode(QListView::Adjust);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    content()->addWidget(m_view, 1);
    connect(m_view, &QListView::activated, this, [this](const QModelIndex& index) {
        Q_EMIT fieldChosen(index.data(ChecksModel::FieldRole).toString());
    });
    connect(m_view, &QListView::clicked, m_view, &QListView::activated);
    translated(this, [this] { setTexts(); });
}

void ChecksPanel::setChecking()
{
    m_isChecking = true;
    setTexts();
}

void ChecksPanel::setFindings(const std::vector<Finding>& findings)
{
    m_isChecking = false;
    m_model.setFindings(findings);
    setTexts();
}

void ChecksPanel::setTexts()
{
    setTitle(tr("Checks"));
    m_view->setAccessibleName(tr("Checks of this job"));
    const int errors = m_model.errorCount();
    setSubtitle(m_isChecking  ? tr("checking…")
                : errors == 0 ? tr("nothing keeps it from starting")
                              : tr("%n errors keep it from starting", nullptr, errors));
    m_view->viewport()->update();
}

} // namespace ringmaster::app
