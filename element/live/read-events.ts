/** An event of a stream, with its data as text. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads events as they arrive (HTML, "Server-sent events"); comments are omitted. `onBytes` is called for all that arrives. */
export async function* readEvents(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let pending = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onBytes();
    pending += value;
    const blocks = pending.split('\n\n');
    pending = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

function eventOf(block: string): StreamEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart());
  }
  const event = fields.get('event');
  return event === undefined ? null : { event, data: fields.get('data') ?? '' };
}
