#pragma once

class QTableView;

namespace ringmaster::app {

namespace JobRowHeights {
constexpr int Least = 44;     ///< Two lines of what a job says.
constexpr int Most = 96;      ///< Where it says more.
constexpr int Roomy = 120;    ///< Where its lines over time have room.
constexpr int WithLines = 64; ///< Where they needn't have more.
} // namespace JobRowHeights

/// Makes each row of a RunFilter as high as what its job says; those of jobs that go on share what
/// is left of `room` for their lines over time, up to a part of the page. Returns what the table
/// then needs.
int fitJobRows(QTableView& table, int room, int page);
/// What the table needs at least. Changes nothing.
int leastJobRows(const QTableView& table);

} // namespace ringmaster::app
