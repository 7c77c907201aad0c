#pragma once

#include "app/learn/LessonScene.h"
#include "app/learn/SceneType.h"

#include <QRectF>

namespace ringmaster::app {

/// The values of a rank, set in lines of a width: a tensor's elements in cells beside its name or
/// beneath it, in as many lines as they take; scalars one after the other. Nothing is left out.
class ValueLines
{
public:
    struct Cell
    {
        size_t value = 0; ///< Of the rank's values.
        int element = -1; ///< -1: a scalar, with its name.
        QString text{};
        QRectF place{}; ///< From the line's left and top.
    };
    struct Line
    {
        size_t value = 0;
        QString name{}; ///< Of a tensor that begins here.
        double nameWidth = 0;
        std::vector<Cell> cells{};
    };

    enum class Order {
        AsTheyAre,
        NewsFirst, ///< What is wrong, has changed or is asked for.
    };

    ValueLines(const std::vector<LessonScene::Value>& values, double width, const SceneType& type,
               Order order = Order::AsTheyAre);

    const std::vector<Line>& lines() const { return m_lines; }
    double height() const;

    /// Where every tensor of few elements has one line.
    static double wantedWidth(const std::vector<LessonScene::Value>& values, const SceneType& type);

private:
    void addTensor(size_t index, const LessonScene::Value& value);
    void addScalar(size_t index, const LessonScene::Value& value);

    double m_width;
    SceneType m_type;
    QFontMetricsF m_metrics;
    std::vector<Line> m_lines;
    double m_scalarsLeft = -1; ///< Where the next scalar goes; negative: on a new line.
};

} // namespace ringmaster::app
