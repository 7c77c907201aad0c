#pragma once

#include "engine/base/Result.h"
#include "engine/lesson/Progress.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringmaster::lesson {

/// What one learner has answered, as it is handed in: a small JSON file.
struct LearnerAnswers
{
    struct OfLesson
    {
        std::string lesson{};
        size_t attempts = 0;  ///< Answers, right and wrong.
        size_t right = 0;     ///< Questions that were answered rightly at last.
        size_t questions = 0; ///< That it has; 0: not known.
        size_t tasks = 0;     ///< That were solved.
        bool operator==(const OfLesson&) const = default;
    };
    std::string learner{};
    std::vector<OfLesson> lessons{};
    bool operator==(const LearnerAnswers&) const = default;
};

/// `questions`: how many each lesson has, as far as that is known.
LearnerAnswers answersOf(const Progress& progress, std::string learner,
                         const std::map<std::string, size_t>& questions);
std::string answersText(const LearnerAnswers& answers);
/// Bounded, whatever the text is.
Result<LearnerAnswers> parseAnswers(std::string_view text);

/// The answers of many learners in one table. Of what a learner has handed in twice, the one with
/// more attempts counts, since a count only grows: the order of the files doesn't matter.
class ClassSheet
{
public:
    struct Row
    {
        std::string learner{};
        LearnerAnswers::OfLesson answers{};
        bool operator==(const Row&) const = default;
    };

    void add(const LearnerAnswers& answers);

    /// By learner, then by lesson.
    std::vector<Row> rows() const;
    /// For spreadsheets: no cell is taken for a formula.
    std::string csv() const;
    std::string json() const;

private:
    std::map<std::pair<std::string, std::string>, LearnerAnswers::OfLesson> m_rows;
};

} // namespace ringmaster::lesson
