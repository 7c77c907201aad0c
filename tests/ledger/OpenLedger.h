#pragma once

#include "engine/ledger/LedgerReader.h"
#include "engine/ledger/LedgerWriter.h"
#include "engine/ledger/OperationDecoder.h"

#include <memory>
#include <vector>

namespace ringmaster::test {

/// The ledger of a rank, written and read by one process.
class OpenLedger
{
public:
    std::string path() const { return m_segment.path(); }
    const OperationDecoder& decoder() const { return m_decoder; }

    /// Those that have ended since it was asked last.
    std::vector<Operation> ended()
    {
        std::vector<ledger::Record> records;
        m_reader.read(records, LedgerReader::Clock::now());
        std::vector<Operation> all;
        for (const ledger::Record& record : records) {
            if (auto operation = m_decoder.take(record))
                all.push_back(*std::move(operation));
        }
        return all;
    }

private:
    LedgerSegment m_segment = LedgerSegment::create({.run = "run", .rank = 0}).value();
    LedgerReader m_reader{m_segment};
    OperationDecoder m_decoder;

public:
    std::shared_ptr<ledger::LedgerWriter> writer =
        ledger::LedgerWriter::attach(m_segment.path().c_str(), ledger::Recorder::Compiled, "2.11")
            .writer;
};

} // namespace ringmaster::test
