#include "engine/control/ReadingProto.h"

#include "engine/control/OperationProto.h"

#include <machine.pb.h>

namespace ringmaster {

void toProto(const OperationPart& part, v1::OperationPart& proto)
{
    toProto(OperationPage{part.rows, part.cursor}, *proto.mutable_page());
    proto.set_folded_before_ns(part.foldedBefore);
    proto.set_is_more(part.isMore);
    proto.set_now_ns(part.nowNs);
    if (!part.folds)
        return;
    v1::OperationPart::Folds& folds = *proto.mutable_folds();
    folds.set_before_ns(part.folds->beforeNs);
    for (const FoldRow& row : part.folds->rows) {
        v1::OperationPart::Fold& fold = *folds.add_folds();
        fold.set_attempt(row.attempt);
        fold.set_first_ns(row.firstNs);
        fold.set_until_ns(row.untilNs);
        fold.set_count(row.count);
        fold.set_block(row.block);
    }
}

OperationPart fromProto(const v1::OperationPart& proto)
{
    OperationPage page = fromProto(proto.page());
    OperationPart part{.rows = std::move(page.rows),
                       .cursor = page.cursor,
                       .foldedBefore = proto.folded_before_ns(),
                       .isMore = proto.is_more(),
                       .nowNs = proto.now_ns()};
    if (!proto.has_folds())
        return part;
    part.folds.emplace();
    part.folds->beforeNs = proto.folds().before_ns();
    for (const v1::OperationPart::Fold& fold : proto.folds().folds())
        part.folds->rows.push_back({.attempt = fold.attempt(),
                                    .firstNs = fold.first_ns(),
                                    .untilNs = fold.until_ns(),
                                    .count = fold.count(),
                                    .block = fold.block()});
    return part;
}

} // namespace ringmaster
