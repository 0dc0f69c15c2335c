import { readEvents } from '../../../element/live/read-events.ts';

import { pageData } from './page-data.ts';

/** Time before a stream that has ended is opened again, in milliseconds. */
const PAUSE_MS = 5000;

/** Receives the results of a subscription until `signal` is aborted; opens the stream again whenever it ends. */
export async function follow<Data>(
  query: string,
  variables: object,
  next: (data: Data) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { body, ok } = await fetch(pageData().endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query, variables }),
        signal,
      });
      if (ok && body) await receive(body, next);
    } catch (error) {
      if (!signal.aborted && !(error instanceof TypeError)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function receive<Data>(body: ReadableStream<Uint8Array>, next: (data: Data) => void): Promise<void> {
  for await (const { event, data } of readEvents(body, () => undefined)) {
    const result = event === 'next' ? (JSON.parse(data) as { readonly data?: Data | null }) : null;
    if (result?.data) next(result.data);
  }
}
