#include "engine/collective/ring/Reduce.h"
#include "tests/collective/Values.h"

#include <QtTest>

#include <limits>

using namespace ringmaster::ring;
using namespace ringmaster::ring::testing;

namespace {

constexpr std::array AllTypes{DataType::Bool,     DataType::Int8,    DataType::UInt8,
                              DataType::Int32,    DataType::Int64,   DataType::Float16,
                              DataType::BFloat16, DataType::Float32, DataType::Float64};
constexpr std::array AllReductions{Reduction::Sum, Reduction::Product, Reduction::Min,
                                   Reduction::Max, Reduction::Average};

std::uint16_t narrowed(float value)
{
    std::uint16_t half = 0;
    narrowHalf(&value, &half, 1);
    return half;
}

} // namespace

class tst_ring_reduce : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void combinesEveryTypeAndReductionAtOddLengths()
    {
        for (const DataType type : AllTypes) {
            for (const Reduction reduction : AllReductions) {
                if (!canReduce(type, reduction))
                    continue;
                for (const size_t count : {size_t{1}, size_t{7}, size_t{65}, size_t{2051}}) {
                    auto sum = samples(type, 0, count);
                    const auto other = samples(type, 1, count);
                    combine(type, reduction, sum.data(), sum.data(), other.data(), sum.size());
                    if (reduction == Reduction::Average)
                        divide(type, sum, 2);
                    for (size_t i = 0; i < count; ++i) {
                        const double wanted = reducedSample(type, reduction, 2, i);
                        QVERIFY2(std::abs(valueAt(type, sum.data(), i) - wanted) <=
                                     tolerance(type, wanted),
                                 qPrintable(QString("%1 %2 at %3 of %4")
                                                .arg(nameOf(reduction).data())
                                                .arg(nameOf(type).data())
                                                .arg(i)
                                                .arg(count)));
                    }
                }
            }
        }
    }

    void refusesWhatHasNoMeaning()
    {
        QVERIFY(!canReduce(DataType::Bytes, Reduction::Sum));
        QVERIFY(!canReduce(DataType::Bool, Reduction::Average));
        QVERIFY(canReduce(DataType::Bool, Reduction::Sum));
    }

    void wrapsIntegersRound()
    {
        std::int32_t largest = std::numeric_limits<std::int32_t>::max();
        const std::int32_t one = 1;
        auto* bytes = reinterpret_cast<std::byte*>(&largest);
        combine(DataType::Int32, Reduction::Sum, bytes, bytes,
                reinterpret_cast<const std::byte*>(&one), sizeof(one));
        QCOMPARE(largest, std::numeric_limits<std::int32_t>::min());
    }

    void everyHalfSurvivesTheWayThroughFloat()
    {
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            const auto half = static_cast<std::uint16_t>(bits);
            float wide = 0;
            widenHalf(&half, &wide, 1);
            const bool isNan = (bits & 0x7C00U) == 0x7C00U && (bits & 0x3FFU) != 0;
            QCOMPARE(std::isnan(wide), isNan);
            if (!isNan)
                QCOMPARE(narrowed(wide), half);
        }
    }

    void instructionsAndArithmeticRoundHalvesAlike()
    {
        // Eight at once go through the processor's instruction, one through our own arithmetic.
        std::uint32_t seed = 1;
        for (int round = 0; round < 20'000; ++round) {
            std::array<float, 8> values{};
            for (float& value : values) {
                seed = seed * 1664525U + 1013904223U;
                const std::uint32_t exponent = 96 + (seed >> 8U) % 48; // around and beyond a half's
                value = std::bit_cast<float>((seed & 0x807FFFFFU) | exponent << 23U);
            }
            std::array<std::uint16_t, 8> together{};
            narrowHalf(values.data(), together.data(), values.size());
            for (size_t i = 0; i < values.size(); ++i)
                QCOMPARE(narrowed(values[i]), together[i]);
        }
    }

    void roundsBFloat16ToTheNearestEven()
    {
        // 256 + 1 lies between 256 and 258 in bfloat16: a tie, to the even one.
        std::array<std::byte, 2> sum{};
        std::array<std::byte, 2> one{};
        setValue(DataType::BFloat16, sum.data(), 0, 256);
        setValue(DataType::BFloat16, one.data(), 0, 1);
        combine(DataType::BFloat16, Reduction::Sum, sum.data(), sum.data(), one.data(), 2);
        QCOMPARE(valueAt(DataType::BFloat16, sum.data(), 0), 256.0);
        setValue(DataType::BFloat16, sum.data(), 0, 258);
        combine(DataType::BFloat16, Reduction::Sum, sum.data(), sum.data(), one.data(), 2);
        QCOMPARE(valueAt(DataType::BFloat16, sum.data(), 0), 260.0);
    }

    void aNanStaysOne()
    {
        std::array<std::byte, 2> sum{};
        std::array<std::byte, 2> one{};
        setValue(DataType::BFloat16, sum.data(), 0, std::numeric_limits<double>::quiet_NaN());
        setValue(DataType::BFloat16, one.data(), 0, 1);
        combine(DataType::BFloat16, Reduction::Sum, sum.data(), sum.data(), one.data(), 2);
        QVERIFY(std::isnan(valueAt(DataType::BFloat16, sum.data(), 0)));
    }
};

QTEST_GUILESS_MAIN(tst_ring_reduce)
#include "tst_ring_reduce.moc"
