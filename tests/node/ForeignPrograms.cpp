#include "ForeignPrograms.h"

#include <QByteArray>

#include <algorithm>
#include <array>

namespace ringmaster::test {

namespace {

constexpr const char* Idle = "nothing.";
constexpr const char* Disagree = "don't agree";
constexpr const char* Circle = "in a circle";
constexpr const char* Itself = ""; ///< Until its own end.

/// Nothing is judged, and it succeeds.
constexpr ForeignProgram healthy(const char* file, const char* name, int ranks = 3)
{
    return {file, name, Itself, "", "", false, ranks, "gloo", true};
}

constexpr std::array Programs{
    // Before the first step.
    ForeignProgram{"start", "lock_kept_over_init", Idle, "hang HangIdleToMake 1,2", nullptr},
    ForeignProgram{"start", "only_the_first_makes_it", "have ended", "hang HangDeadToMake 1,2",
                   nullptr},
    ForeignProgram{"start", "wrong_world_size", "but the run has only 3",
                   "mismatch InitForMore 0,1,2", nullptr},
    ForeignProgram{"start", "one_imports_for_ever", Idle, "hang HangIdleToMake 2", nullptr},
    ForeignProgram{"start", "polls_for_a_file", Idle, "hang HangIdleToMake 1,2", nullptr},
    // Calls that don't fit.
    ForeignProgram{"collectives", "barrier_of_the_first_only", Disagree, "mismatch MismatchRanks 0",
                   nullptr},
    ForeignProgram{"collectives", "metric_of_the_first_only", Itself, "mismatch MismatchRanks 0",
                   nullptr},
    ForeignProgram{"collectives", "uneven_batches_then_barrier", Disagree,
                   "mismatch MismatchRanks 2", nullptr},
    ForeignProgram{"collectives", "uneven_batches_then_evaluation", Itself,
                   "mismatch MismatchRanks 2", nullptr},
    ForeignProgram{"collectives", "uneven_batches_then_exit", Itself, "",
                   "RanksLeftBefore|WaitFailed"},
    ForeignProgram{"collectives", "nan_is_skipped", Disagree, "mismatch MismatchRanks 2", nullptr},
    ForeignProgram{"collectives", "validates_on_the_first_only", Disagree,
                   "mismatch MismatchRanks 0", nullptr},
    ForeignProgram{"collectives", "broadcast_from_oneself", Disagree,
                   "mismatch MismatchRanks 0,1,2", nullptr},
    ForeignProgram{"collectives", "half_precision_on_one", Itself, "mismatch MismatchRanks 2",
                   nullptr},
    ForeignProgram{"collectives", "another_reduction", Disagree, "mismatch MismatchRanks 2",
                   nullptr},
    ForeignProgram{"collectives", "other_roots_of_reduce", Disagree, "mismatch MismatchRanks 0,1,2",
                   nullptr},
    ForeignProgram{"collectives", "gather_with_another_root", Disagree, "mismatch MismatchRanks 2",
                   nullptr},
    ForeignProgram{"collectives", "object_of_the_first_only", Disagree, "mismatch MismatchRanks 0",
                   nullptr},
    ForeignProgram{"collectives", "objects_gathered_by_some", Disagree, "mismatch MismatchRanks 2",
                   nullptr},
    ForeignProgram{"collectives", "model_differs", Itself, "mismatch MismatchRanks 2", nullptr},
    ForeignProgram{"collectives", "buckets_in_other_order", Itself, "mismatch MismatchRanks 2",
                   nullptr},
    ForeignProgram{"collectives", "all_to_all_splits_differ", Itself, "", "WorkerRaisedAt"},
    ForeignProgram{"collectives", "last_batch_is_smaller", Itself, "mismatch MismatchRanks 2",
                   nullptr},
    ForeignProgram{"collectives", "exception_is_swallowed", Disagree, "mismatch MismatchRanks 2",
                   nullptr},
    ForeignProgram{"collectives", "barrier_in_finally", Disagree, "mismatch MismatchRanks 2",
                   nullptr},
    ForeignProgram{"collectives", "early_stopping_by_one", Disagree, "mismatch MismatchRanks 2",
                   nullptr},
    ForeignProgram{"collectives", "summary_by_name", Disagree, "mismatch MismatchRanks 2", nullptr},
    // Groups.
    ForeignProgram{"groups", "made_by_members_only", "the same groups in the same order",
                   "mismatch GroupsDiffer 1", nullptr},
    ForeignProgram{"groups", "tensor_and_data_parallel", Circle, "hang HangCycle 0,1", nullptr,
                   false, 3, "gloo", false, "hang HangCycle 0,2"},
    ForeignProgram{"groups", "grid_with_a_skipped_row", Circle, "hang HangCycle 2,3", nullptr,
                   false, 4},
    ForeignProgram{"groups", "subgroup_misses_one", Idle, "hang HangIdle 1", nullptr},
    ForeignProgram{"groups", "groups_in_other_order", "the same groups in the same order",
                   "mismatch GroupsDiffer 2", nullptr},
    ForeignProgram{"groups", "split_with_one_missing", Idle, "hang HangIdleToMake 2", nullptr},
    ForeignProgram{"groups", "destroyed_by_one", Itself, "", "WaitFailed"},
    // Pairs.
    ForeignProgram{"pairs", "wrong_tag", "with tag 1", "mismatch TagsDiffer 2", nullptr},
    ForeignProgram{"pairs", "more_micro_batches_expected", Circle, "hang HangCycle 1,2", nullptr},
    ForeignProgram{"pairs", "ring_turned_round", "doesn't receive that",
                   "mismatch DestinationDiffers 2", nullptr},
    ForeignProgram{"pairs", "all_receive_first", Circle, "hang HangCycle 0,1,2", nullptr},
    ForeignProgram{"pairs", "batch_without_its_receive", Circle, "hang HangCycle 1,2", nullptr},
    ForeignProgram{"pairs", "from_anybody", "waited", "", "RanksWait", true},
    ForeignProgram{"pairs", "stage_is_stuck", Idle, "hang HangIdle 1", nullptr},
    ForeignProgram{"pairs", "buffer_is_too_small", Itself, "mismatch SizesDiffer 0,1", nullptr},
    ForeignProgram{"pairs", "objects_to_the_wrong_one", "receives from rank",
                   "mismatch SourceDiffers 0,2", nullptr},
    // One rank waits for something else.
    ForeignProgram{"stuck", "lock_taken_twice", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"stuck", "empty_queue", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"stuck", "polls_for_a_checkpoint", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"stuck", "silent_server", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"stuck", "future_never_done", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"stuck", "asynchronous_client", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"stuck", "own_store", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"stuck", "spins", "waited", "", "RanksWait", true},
    ForeignProgram{"stuck", "child_asks", "but at work", "", "RanksWaitQuietly", true},
    ForeignProgram{"stuck", "pool_after_a_fork", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"stuck", "stopped_by_a_debugger", "is stopped", "hang HangStopped 2", nullptr},
    ForeignProgram{"stuck", "full_pipe", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"stuck", "reads_standard_input", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"stuck", "condition_without_notify", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"stuck", "joins_a_thread", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"stuck", "sleeps_for_a_retry", Idle, "hang HangIdle 2", nullptr},
    // Ends.
    ForeignProgram{"ends", "segmentation_fault", Itself, "", "WorkerCrashed"},
    ForeignProgram{"ends", "killed", Itself, "", "WorkerKilled"},
    ForeignProgram{"ends", "exits_with_zero", Itself, "", "RanksLeftBefore|WaitFailed"},
    ForeignProgram{"ends", "raises", Itself, "", "WorkerRaisedAt"},
    ForeignProgram{"ends", "raises_with_a_thread_left", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"ends", "others_swallow_it", "done nothing for", "", "RanksLeftEarly"},
    // Of two ranks that wait one may have ended before the other one's time is over, too.
    ForeignProgram{"ends", "timeout_of_the_group", Itself, "", "WaitFailed|RanksWait"},
    ForeignProgram{"ends", "timeout_of_a_barrier", Itself, "", "WaitFailed|RanksWait"},
    ForeignProgram{"ends", "timeout_is_caught", "ended with an error", "", "WaitFailed"},
    ForeignProgram{"ends", "timeout_with_a_skipped_call", Itself, "mismatch MismatchRanks 2",
                   nullptr},
    ForeignProgram{"ends", "thread_left", "done nothing for", "", "ProgramOverThreadsLeft"},
    ForeignProgram{"ends", "child_left", "done nothing for", "", "RanksRemain"},
    ForeignProgram{"ends", "interrupted_once", Idle, "hang HangIdle 2", nullptr},
    ForeignProgram{"ends", "done_too_early", Itself, "", "RanksLeftBefore|WaitFailed"},
    // The same with the ring.
    ForeignProgram{"collectives", "nan_is_skipped", Disagree, "mismatch MismatchRanks 2", nullptr,
                   false, 3, "ring"},
    ForeignProgram{"groups", "tensor_and_data_parallel", Circle, "hang HangCycle 0,1", nullptr,
                   false, 3, "ring", false, "hang HangCycle 0,2"},
    ForeignProgram{"stuck", "empty_queue", Idle, "hang HangIdle 2", nullptr, false, 3, "ring"},
    // With nothing wrong.
    healthy("unusual", "uneven_data_with_join"),
    healthy("unusual", "the_first_saves_for_long"),
    healthy("unusual", "experts_of_uneven_size"),
    healthy("unusual", "groups_made_again_and_again"),
    healthy("unusual", "a_whole_job_twice"),
    healthy("unusual", "server_of_messages"),
    healthy("unusual", "works_in_a_thread"),
    healthy("unusual", "tensors_of_every_kind"),
    healthy("unusual", "probes_with_a_short_timeout"),
    healthy("unusual", "buckets_started_in_hooks"),
    healthy("trainings", "ddp_with_evaluation_and_checkpoints"),
    healthy("trainings", "gradient_accumulation"),
    healthy("trainings", "parameters_left_unused"),
    healthy("trainings", "halved_gradients"),
    healthy("trainings", "averages_now_and_then"),
    healthy("trainings", "averages_by_momentum"),
    healthy("trainings", "sharded_optimizer"),
    healthy("trainings", "loader_with_workers"),
    healthy("trainings", "evaluates_on_the_first"),
    healthy("trainings", "stops_early_together"),
    healthy("trainings", "resumes_from_a_checkpoint"),
    healthy("trainings", "compiles_for_long"),
    healthy("trainings", "generator_and_critic"),
    healthy("trainings", "sequences_of_any_length"),
    healthy("trainings", "saves_in_a_thread"),
    healthy("parallel", "fsdp2_with_evaluation_and_checkpoints"),
    healthy("parallel", "fsdp2_of_replicas", 4),
    healthy("parallel", "tensor_parallel"),
    healthy("parallel", "grid_of_data_and_tensors", 4),
    healthy("parallel", "pipeline_1f1b_with_evaluation_and_checkpoints"),
    healthy("parallel", "pipeline_with_a_slow_stage"),
    healthy("parallel", "pipeline_by_hand"),
    healthy("parallel", "experts_with_evaluation_and_checkpoints"),
    healthy("parallel", "attention_in_a_ring"),
    healthy("parallel", "borders_of_a_field"),
    healthy("exchange", "parameter_server"),
    healthy("exchange", "hands_out_work"),
    healthy("exchange", "collects_in_order"),
    healthy("exchange", "sums_by_a_tree"),
    healthy("exchange", "settings_and_metrics"),
    healthy("exchange", "actors_and_learner"),
    healthy("exchange", "by_the_store_alone"),
    healthy("exchange", "many_small_ones_in_flight"),
    healthy("exchange", "groups_at_work_side_by_side", 4),
    healthy("quiet", "first_downloads"),
    healthy("quiet", "packs_in_a_child"),
    healthy("quiet", "prepares_one_after_the_other"),
    healthy("quiet", "polls_for_the_first"),
    healthy("quiet", "pauses_for_a_moment"),
    healthy("quiet", "half_of_them_train"),
    healthy("quiet", "one_ends_early"),
    healthy("quiet", "works_on_after_the_end"),
    healthy("quiet", "all_pause"),
    healthy("quiet", "writes_to_a_slow_disk"),
};

/// Each has once shown something that was said wrongly, or stands for a kind.
constexpr std::array<std::string_view, 19> Usual{"wrong_world_size",
                                                 "another_reduction",
                                                 "last_batch_is_smaller",
                                                 "uneven_batches_then_exit",
                                                 "destroyed_by_one",
                                                 "grid_with_a_skipped_row",
                                                 "more_micro_batches_expected",
                                                 "batch_without_its_receive",
                                                 "lock_taken_twice",
                                                 "stopped_by_a_debugger",
                                                 "exits_with_zero",
                                                 "segmentation_fault",
                                                 "works_in_a_thread",
                                                 "groups_made_again_and_again",
                                                 "pipeline_by_hand",
                                                 "experts_with_evaluation_and_checkpoints",
                                                 "objects_to_the_wrong_one",
                                                 "collects_in_order",
                                                 "ring_turned_round"};

} // namespace

std::span<const ForeignProgram> foreignPrograms()
{
    return Programs;
}

bool isWanted(const ForeignProgram& program)
{
    const QByteArray wanted = qgetenv("RINGMASTER_FAULT");
    if (!wanted.isEmpty())
        return wanted == "all" || wanted == program.name ||
               wanted == (program.isHealthy ? "healthy" : "faulty");
    return std::string_view(program.backend) == "gloo" &&
           std::ranges::count(Usual, program.name) > 0;
}

} // namespace ringmaster::test
