import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { AddressRanges } from '../../../http/requests/address-ranges.ts';
import { notificationSender } from '../../../server/database/notification-sender.ts';
import { webhookReceiver } from '../../hosts/webhook-receiver.ts';

const exporter = new InMemorySpanExporter();
beforeAll(() => new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register());
// Other files of this process are not traced.
afterAll(() => {
  for (const api of [trace, context, propagation]) api.disable();
});

test('a notification is a span, which its receiver is told of, and that has neither address nor answer', async () => {
  const receiver = await webhookReceiver();
  onTestFinished(receiver.close);
  const { post } = notificationSender(AddressRanges.parse('127.0.0.0/8, ::1') ?? AddressRanges.NONE, receiver.ca);
  const request = { url: `${receiver.url}?secret=hidden`, headers: {}, body: '{}' };
  await post(request);
  await expect(post({ ...request, signal: AbortSignal.abort() })).rejects.toThrow();

  const spans = exporter.getFinishedSpans();
  const attributes = { 'http.request.method': 'POST' };
  expect(spans).toMatchObject([
    { name: 'POST webhook', kind: SpanKind.CLIENT, status: { code: SpanStatusCode.UNSET }, attributes },
    { name: 'POST webhook', status: { code: SpanStatusCode.ERROR }, attributes },
  ]);
  const { traceId, spanId } = spans[0]?.spanContext() ?? {};
  expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual([`00-${traceId}-${spanId}-01`]);
  for (const span of spans) expect(JSON.stringify(span.attributes)).not.toContain('hidden');
});
