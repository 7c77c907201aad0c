#pragma once

#include "app/model/RunModel.h"
#include "app/widget/BannerPlace.h"

#include <optional>

class QPushButton;

namespace ringmaster::app {

/// What a job's page says first: a verdict, a first cause, an end; or quietly that there is
/// nothing of the kind.
class JobBanner : public BannerPlace
{
    Q_OBJECT

public:
    explicit JobBanner(const RunModel& run, QWidget* parent = nullptr);

    /// Again each second: who waits, waits longer.
    void update();

Q_SIGNALS:
    /// A stopped rank shall go on.
    void continueRequested(int globalRank);

private:
    void updateContinue();
    void showState();
    bool showFirstCause();
    bool showVerdictOf(Verdict::Kind least);
    /// With why the attempt before was over.
    QString withRestart(const QString& reason) const;
    QString quietText() const;

    const RunModel& m_run;
    QPushButton* m_continue;
    std::optional<Error> m_feedError;
};

} // namespace ringmaster::app
