"""Reads a file of OTLP's JSON lines with OpenTelemetry's own messages; prints what is in it.

check_otlp.py FILE: how many spans and log records, and the names of the spans. Fails where a field
isn't OTLP's, an id hasn't its length, or a span has no parent in the file.
"""

import base64
import collections
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

IDS = {"traceId": 16, "spanId": 8, "parentSpanId": 8}


def with_base64(value):
    """OTLP writes ids in hexadecimal, protobuf's own JSON form reads base64."""
    if isinstance(value, list):
        return [with_base64(item) for item in value]
    if not isinstance(value, dict):
        return value
    read = {}
    for key, item in value.items():
        if key in IDS:
            number = bytes.fromhex(item)
            assert len(number) == IDS[key] and any(number), f"{key} {item}"
            read[key] = base64.b64encode(number).decode()
        else:
            read[key] = with_base64(item)
    return read


spans = []
records = []
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        request = with_base64(json.loads(line))
        if "resourceSpans" in request:
            read = json_format.ParseDict(request, ExportTraceServiceRequest())
            spans += [s for r in read.resource_spans for g in r.scope_spans for s in g.spans]
        else:
            read = json_format.ParseDict(request, ExportLogsServiceRequest())
            records += [x for r in read.resource_logs for g in r.scope_logs for x in g.log_records]

ids = {span.span_id for span in spans}
assert len(ids) == len(spans), "an id comes twice"
for span in spans:
    assert not span.parent_span_id or span.parent_span_id in ids, span
    assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano, span
assert sum(not span.parent_span_id for span in spans) == 1, "there is one root"
assert len({x.trace_id for x in spans + records}) == 1, "it is one trace"
for record in records:
    assert record.time_unix_nano > 0 and (not record.span_id or record.span_id in ids), record
print(len(spans), "spans,", len(records), "records")
for name, count in sorted(collections.Counter(span.name for span in spans).items()):
    print(name, count)
