#include "app/learn/ValueLines.h"

#include <QRegularExpression>

#include <algorithm>
#include <numeric>

namespace ringmaster::app {

namespace {

constexpr qsizetype FewElements = 8;
constexpr double CellPadding = 8;
constexpr double NameGap = 6;

QString nameOf(const LessonScene::Value& value)
{
    return value.warning.isEmpty() ? value.name : QStringLiteral("▲") + value.name;
}

QString scalarText(const LessonScene::Value& value)
{
    return QStringLiteral("%1 = %2").arg(nameOf(value), value.elements.join(u' '));
}

int newsOf(const LessonScene::Value& value)
{
    return (value.warning.isEmpty() ? 0 : 4) + (value.isNew ? 2 : 0) + (value.isAskedFor ? 1 : 0);
}

/// Where all are whole numbers, their ".0" says nothing.
QStringList textsOf(const LessonScene::Value& value)
{
    static const QRegularExpression whole(QStringLiteral("^-?\\d+\\.0$"));
    QStringList texts = value.elements;
    const bool isLong = texts.size() > 4;
    const bool areWhole = isLong && std::ranges::all_of(texts, [](const QString& text) {
                              return text.size() == 1 || whole.match(text).hasMatch();
                          });
    for (QString& text : texts) {
        if (areWhole && text.size() > 1)
            text.chop(2);
    }
    if (!value.isWhole)
        texts << QStringLiteral("…");
    return texts;
}

double ownWidth(const QString& text, const QFontMetricsF& metrics, const SceneType& type)
{
    return std::max(16.0, metrics.horizontalAdvance(text) / type.scale() + CellPadding) *
           type.scale();
}

double cellWidth(const QStringList& texts, const QFontMetricsF& metrics, const SceneType& type)
{
    double width = 0;
    for (const QString& text : texts)
        width = std::max(width, ownWidth(text, metrics, type));
    return width;
}

/// All alike, as a reader compares them; each its own where only so they stay in one line.
std::vector<double> cellWidths(const QStringList& texts, double room, const QFontMetricsF& metrics,
                               const SceneType& type)
{
    const double alike = std::min(room, cellWidth(texts, metrics, type));
    std::vector<double> widths(static_cast<size_t>(texts.size()), alike);
    if (alike * static_cast<double>(texts.size()) <= room)
        return widths;
    std::vector<double> own;
    for (const QString& text : texts)
        own.push_back(ownWidth(text, metrics, type));
    return std::reduce(own.begin(), own.end()) <= room ? own : widths;
}

} // namespace

ValueLines::ValueLines(const std::vector<LessonScene::Value>& values, double width,
                       const SceneType& type, Order order)
    : m_width(width), m_type(type), m_metrics(type.valueFont())
{
    std::vector<size_t> indexes(values.size());
    std::iota(indexes.begin(), indexes.end(), size_t(0));
    if (order == Order::NewsFirst)
        std::ranges::stable_sort(indexes, std::ranges::greater{},
                                 [&](size_t index) { return newsOf(values[index]); });
    for (const size_t index : indexes) {
        if (values[index].isTensor)
            addTensor(index, values[index]);
        else
            addScalar(index, values[index]);
    }
}

void ValueLines::addTensor(size_t index, const LessonScene::Value& value)
{
    m_scalarsLeft = -1;
    const QStringList texts = textsOf(value);
    const double name = m_metrics.horizontalAdvance(nameOf(value)) + NameGap * m_type.scale();
    const double cell = std::min(m_width, cellWidth(texts, m_metrics, m_type));
    const auto few = static_cast<double>(std::min(texts.size(), FewElements));
    const bool isBeside = name + cell * few <= m_width;
    m_lines.push_back({.value = index, .name = nameOf(value), .nameWidth = m_width});
    double left = 0;
    if (isBeside) {
        m_lines.back().nameWidth = name;
        left = name;
    } else if (!texts.isEmpty()) {
        m_lines.push_back({.value = index});
    }
    const double begin = left;
    const std::vector<double> widths = cellWidths(texts, m_width - begin, m_metrics, m_type);
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const double width = widths[static_cast<size_t>(i)];
        if (left + width > m_width + 0.5 && left > begin) {
            m_lines.push_back({.value = index});
            left = begin;
        }
        m_lines.back().cells.push_back({index,
                                        static_cast<int>(i),
                                        texts.at(i),
                                        {left, 1, width - 2, m_type.cellHeight() - 3}});
        left += width;
    }
}

void ValueLines::addScalar(size_t index, const LessonScene::Value& value)
{
    QString rest = scalarText(value);
    const double padding = CellPadding * m_type.scale();
    const auto widthOf = [&](const QString& text) {
        return m_metrics.horizontalAdvance(text) + padding;
    };
    do {
        // One that is longer than a line goes on in the next.
        qsizetype length = rest.size();
        if (widthOf(rest) > m_width) {
            qsizetype tooLong = length;
            length = 1;
            while (tooLong - length > 1) {
                const qsizetype middle = (length + tooLong) / 2;
                (widthOf(rest.left(middle)) > m_width ? tooLong : length) = middle;
            }
        }
        // Between two words, where there are two: a number that is cut is another number.
        if (length < rest.size()) {
            const qsizetype space = rest.lastIndexOf(u' ', length);
            length = space > 0 ? std::min(space + 1, length) : length;
        }
        const QString text = rest.left(length);
        const double width = widthOf(text);
        if (m_scalarsLeft < 0 || m_scalarsLeft + width > m_width) {
            m_lines.push_back({.value = index});
            m_scalarsLeft = 0;
        }
        m_lines.back().cells.push_back(
            {index, -1, text, {m_scalarsLeft, 1, width, m_type.cellHeight() - 3}});
        m_scalarsLeft += width;
        rest = rest.mid(length);
    } while (!rest.isEmpty());
}

double ValueLines::height() const
{
    return static_cast<double>(m_lines.size()) * m_type.cellHeight();
}

double ValueLines::wantedWidth(const std::vector<LessonScene::Value>& values, const SceneType& type)
{
    const QFontMetricsF metrics(type.valueFont());
    double width = 0;
    for (const LessonScene::Value& value : values) {
        if (!value.isTensor) {
            width = std::max(width, metrics.horizontalAdvance(scalarText(value)) +
                                        CellPadding * type.scale());
            continue;
        }
        const QStringList texts = textsOf(value);
        const auto count = static_cast<double>(std::min<qsizetype>(texts.size(), FewElements));
        width = std::max(width, metrics.horizontalAdvance(nameOf(value)) + NameGap * type.scale() +
                                    count * cellWidth(texts, metrics, type));
    }
    return width + 1;
}

} // namespace ringmaster::app
