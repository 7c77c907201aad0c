<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>CloseQuestion</name>
    <message numerus="yes">
        <source>%n jobs keep running.</source>
        <translation>
            <numerusform>%n job keeps running.</numerusform>
            <numerusform>%n jobs keep running.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>They don&apos;t need this window; open Ringmaster again to see them.</source>
        <translation>
            <numerusform>It doesn&apos;t need this window; open Ringmaster again to see it.</numerusform>
            <numerusform>They don&apos;t need this window; open Ringmaster again to see them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConfirmDelete</name>
    <message numerus="yes">
        <source>Events, logs and figures go with them: %1.</source>
        <translation>
            <numerusform>Events, logs and figures go with it: %1.</numerusform>
            <numerusform>Events, logs and figures go with them: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them are pinned.</source>
        <translation>
            <numerusform>%n of them is pinned.</numerusform>
            <numerusform>%n of them are pinned.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n runs?</source>
        <translation>
            <numerusform>Delete %n run?</numerusform>
            <numerusform>Delete %n runs?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConfirmStop</name>
    <message numerus="yes">
        <source>%n workers end after %1. What they did since their last checkpoint is lost; this can&apos;t be undone.</source>
        <translation>
            <numerusform>%n worker ends after %1. What it did since its last checkpoint is lost; this can&apos;t be undone.</numerusform>
            <numerusform>%n workers end after %1. What they did since their last checkpoint is lost; this can&apos;t be undone.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DeviceRows</name>
    <message numerus="yes">
        <source>%n processors</source>
        <translation>
            <numerusform>%n processor</numerusform>
            <numerusform>%n processors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventText</name>
    <message numerus="yes">
        <source>Restarting the worker group; %n restarts left</source>
        <translation>
            <numerusform>Restarting the worker group; %n restart left</numerusform>
            <numerusform>Restarting the worker group; %n restarts left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows to measure</source>
        <translation>
            <numerusform>%n row to measure</numerusform>
            <numerusform>%n rows to measure</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wrong values</source>
        <translation>
            <numerusform>%n wrong value</numerusform>
            <numerusform>%n wrong values</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 on %n ranks</source>
        <translation>
            <numerusform>%1 on %n rank</numerusform>
            <numerusform>%1 on %n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ready with %n workers at %1</source>
        <translation>
            <numerusform>Ready with %n worker at %1</numerusform>
            <numerusform>Ready with %n workers at %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stacks of ranks %1 were taken</source>
        <translation>
            <numerusform>The stack of rank %1 was taken</numerusform>
            <numerusform>Stacks of ranks %1 were taken</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LabelLayout</name>
    <message numerus="yes">
        <source>%n more in the table</source>
        <translation>
            <numerusform>%n more in the table</numerusform>
            <numerusform>%n more in the table</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LessonRunText</name>
    <message numerus="yes">
        <source>%n real processes</source>
        <translation>
            <numerusform>%n real process</numerusform>
            <numerusform>%n real processes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>recorded, nothing runs: %n ranks</source>
        <translation>
            <numerusform>recorded, nothing runs: %n rank</numerusform>
            <numerusform>recorded, nothing runs: %n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TimelinePainter</name>
    <message numerus="yes">
        <source>%n left</source>
        <comment>restarts</comment>
        <translation>
            <numerusform>%n left</numerusform>
            <numerusform>%n left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::BandwidthPage</name>
    <message numerus="yes">
        <source>%n more pairs afterwards</source>
        <translation>
            <numerusform>%n more pair afterwards</numerusform>
            <numerusform>%n more pairs afterwards</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ChecksPanel</name>
    <message numerus="yes">
        <source>%n errors keep it from starting</source>
        <translation>
            <numerusform>%n error keeps it from starting</numerusform>
            <numerusform>%n errors keep it from starting</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::DrillDialog</name>
    <message numerus="yes">
        <source>That takes one of the %n restarts that are left, and what was done since the last checkpoint.</source>
        <translation>
            <numerusform>That takes the last restart, and what was done since the last checkpoint.</numerusform>
            <numerusform>That takes one of the %n restarts that are left, and what was done since the last checkpoint.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::EventsPanel</name>
    <message numerus="yes">
        <source>the last %n events; older ones are in the run&apos;s file</source>
        <translation>
            <numerusform>the last event; older ones are in the run&apos;s file</numerusform>
            <numerusform>the last %n events; older ones are in the run&apos;s file</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n events</source>
        <translation>
            <numerusform>%n event</numerusform>
            <numerusform>%n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n events</source>
        <translation>
            <numerusform>%1 of %n event</numerusform>
            <numerusform>%1 of %n events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::EvidenceModel</name>
    <message numerus="yes">
        <source>Ranks %1</source>
        <translation>
            <numerusform>Rank %1</numerusform>
            <numerusform>Ranks %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… %n calls are left out</source>
        <translation>
            <numerusform>… %n call is left out</numerusform>
            <numerusform>… %n calls are left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ForeignJobDialog</name>
    <message numerus="yes">
        <source>Something else started this job. Process %1 gets SIGTERM; what its ranks did since their last checkpoint is lost, and this can&apos;t be undone.</source>
        <translation>
            <numerusform>Something else started this job. Process %1 gets SIGTERM; what its ranks did since their last checkpoint is lost, and this can&apos;t be undone.</numerusform>
            <numerusform>Something else started this job. Processes %1 get SIGTERM; what they did since their last checkpoint is lost, and this can&apos;t be undone.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n restarts</source>
        <translation>
            <numerusform>%n restart</numerusform>
            <numerusform>%n restarts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Something else started this job on %2. Process %1 gets SIGTERM there; what its ranks did since their last checkpoint is lost, and this can&apos;t be undone.</source>
        <translation>
            <numerusform>Something else started this job on %2. Process %1 gets SIGTERM there; what its ranks did since their last checkpoint is lost, and this can&apos;t be undone.</numerusform>
            <numerusform>Something else started this job on %2. Processes %1 get SIGTERM there; what they did since their last checkpoint is lost, and this can&apos;t be undone.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HistoryPage</name>
    <message numerus="yes">
        <source>%n runs, %1</source>
        <translation>
            <numerusform>%n run, %1</numerusform>
            <numerusform>%n runs, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostDialog</name>
    <message numerus="yes">
        <source>%n lines of the environment aren&apos;t NAME=VALUE.</source>
        <translation>
            <numerusform>%n line of the environment isn&apos;t NAME=VALUE.</numerusform>
            <numerusform>%n lines of the environment aren&apos;t NAME=VALUE.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostPicker</name>
    <message numerus="yes">
        <source>%n hosts</source>
        <comment>between which is measured</comment>
        <translation>
            <numerusform>%n host</numerusform>
            <numerusform>%n hosts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostsCard</name>
    <message numerus="yes">
        <source>%n hosts, none asked yet</source>
        <translation>
            <numerusform>%n host, not asked yet</numerusform>
            <numerusform>%n hosts, none asked yet</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostsPage</name>
    <message numerus="yes">
        <source>%n hosts removed</source>
        <translation>
            <numerusform>%n host removed</numerusform>
            <numerusform>%n hosts removed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostsPlace</name>
    <message numerus="yes">
        <source>%n slots</source>
        <translation>
            <numerusform>%n slot</numerusform>
            <numerusform>%n slots</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ImportDialog</name>
    <message numerus="yes">
        <source>Import %n hosts</source>
        <translation>
            <numerusform>Import %n host</numerusform>
            <numerusform>Import %n hosts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobBanner</name>
    <message numerus="yes">
        <source>Ranks %1 ended because of it.</source>
        <translation>
            <numerusform>Rank %1 ended because of it.</numerusform>
            <numerusform>Ranks %1 ended because of it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobHeader</name>
    <message numerus="yes">
        <source>%1 of %n restarts used</source>
        <translation>
            <numerusform>%1 of %n restart used</numerusform>
            <numerusform>%1 of %n restarts used</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 on %n hosts</source>
        <translation>
            <numerusform>%1 on %n host</numerusform>
            <numerusform>%1 on %n hosts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobsList</name>
    <message numerus="yes">
        <source>%n jobs</source>
        <translation>
            <numerusform>%n job</numerusform>
            <numerusform>%n jobs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n jobs shown</source>
        <translation>
            <numerusform>%1 of %n job shown</numerusform>
            <numerusform>%1 of %n jobs shown</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LessonExport</name>
    <message numerus="yes">
        <source>%n secrets are masked.</source>
        <translation>
            <numerusform>%n secret is masked.</numerusform>
            <numerusform>%n secrets are masked.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LessonFindings</name>
    <message numerus="yes">
        <source>%n errors · F8: the next one</source>
        <translation>
            <numerusform>%n error · F8: to its line</numerusform>
            <numerusform>%n errors · F8: the next one</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LogModel</name>
    <message numerus="yes">
        <source>× %n ranks</source>
        <comment>that printed a traceback</comment>
        <translation>
            <numerusform>× %n rank</numerusform>
            <numerusform>× %n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LogPanel</name>
    <message numerus="yes">
        <source>This output has %Ln lines.</source>
        <translation>
            <numerusform>This output has %Ln line.</numerusform>
            <numerusform>This output has %Ln lines.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LogSearchBar</name>
    <message numerus="yes">
        <source>%Ln lines match</source>
        <translation>
            <numerusform>%Ln line matches</numerusform>
            <numerusform>%Ln lines match</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::MachineList</name>
    <message numerus="yes">
        <source>● %1: %n jobs run</source>
        <translation>
            <numerusform>● %1: %n job runs</numerusform>
            <numerusform>● %1: %n jobs run</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::NumbersPanel</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n ranks drawn</source>
        <translation>
            <numerusform>%1 of %n rank drawn</numerusform>
            <numerusform>%1 of %n ranks drawn</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::OperationsPanel</name>
    <message numerus="yes">
        <source>The last %n operations of a group are kept one by one.</source>
        <translation>
            <numerusform>The last operation of a group is kept as it was.</numerusform>
            <numerusform>The last %n operations of a group are kept one by one.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>all %n attempts</source>
        <translation>
            <numerusform>all %n attempt</numerusform>
            <numerusform>all %n attempts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operations were recorded, but not from beginning to end.</source>
        <translation>
            <numerusform>%n operation was recorded, but not from beginning to end.</numerusform>
            <numerusform>%n operations were recorded, but not from beginning to end.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PlaceSection</name>
    <message numerus="yes">
        <source>auto (%n GPUs)</source>
        <translation>
            <numerusform>auto (%n GPU)</numerusform>
            <numerusform>auto (%n GPUs)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>auto (%n CPUs)</source>
        <translation>
            <numerusform>auto (%n CPU)</numerusform>
            <numerusform>auto (%n CPUs)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PreflightMatrix</name>
    <message numerus="yes">
        <source>%n problems</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PreflightPanel</name>
    <message numerus="yes">
        <source>%n problems would keep a job from running</source>
        <translation>
            <numerusform>%n problem would keep a job from running</numerusform>
            <numerusform>%n problems would keep a job from running</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::RunButtons</name>
    <message numerus="yes">
        <source>Exported to %1 (%2); %n secrets are masked</source>
        <translation>
            <numerusform>Exported to %1 (%2); %n secret is masked</numerusform>
            <numerusform>Exported to %1 (%2); %n secrets are masked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runs deleted</source>
        <translation>
            <numerusform>%n run deleted</numerusform>
            <numerusform>%n runs deleted</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::RunListModel</name>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n running</numerusform>
            <numerusform>%n running</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::SideBar</name>
    <message numerus="yes">
        <source>● %n local agents</source>
        <translation>
            <numerusform>● %n local agent</numerusform>
            <numerusform>● %n local agents</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::TimelinePanel</name>
    <message numerus="yes">
        <source>times of %n hosts to ± %1</source>
        <translation>
            <numerusform>times of %n host to ± %1</numerusform>
            <numerusform>times of %n hosts to ± %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::WorkerTableModel</name>
    <message numerus="yes">
        <source>restarted %n times</source>
        <translation>
            <numerusform>restarted %n time</numerusform>
            <numerusform>restarted %n times</numerusform>
        </translation>
    </message>
</context>
</TS>
