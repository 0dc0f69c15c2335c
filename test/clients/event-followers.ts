import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client/core';
import { type DocumentNode, print } from 'graphql';
import { createClient, type ExecutionResult, type RequestParams, type Sink } from 'graphql-sse';

import type { streamingFetch } from './event-client.ts';

/** The address of `changes`, and the reader of its pages. */
export interface Following {
  readonly url: string;
  readonly query: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly fetchFn: ReturnType<typeof streamingFetch>;
  /** Called before each attempt to connect again. */
  readonly retry: () => Promise<void>;
  readonly take: (page: Page) => void;
}

/** A page of `changes`. */
export interface Page {
  readonly nodes: readonly { readonly key: string }[];
  readonly page_info: { readonly end_cursor: string };
}

interface Result {
  readonly data?: { readonly changes?: Page } | null;
}

/** Follows by `fetch` as an EventSource does: with the id of the last event, if it connects again. Returns how to end it. */
export function followByFetch({ url, query, credentials, fetchFn, retry, take }: Following): () => void {
  const controller = new AbortController();
  let lastEventId = '';
  const headers = { ...credentials, 'content-type': 'application/json', accept: 'text/event-stream' };
  const readOnce = async () => {
    const resumed = lastEventId === '' ? {} : { 'last-event-id': lastEventId };
    const options = { method: 'POST', headers: { ...headers, ...resumed }, signal: controller.signal };
    const { body } = await fetchFn(url, { ...options, body: JSON.stringify({ query }) });
    let text = '';
    for await (const chunk of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        lastEventId = /^id: (.*)$/m.exec(event)?.[1] ?? lastEventId;
        const [, data] = /^data: (.+)$/m.exec(event) ?? [];
        const page = data === undefined ? undefined : (JSON.parse(data) as Result).data?.changes;
        if (page) take(page);
      }
    }
  };
  const follow = async () => {
    while (!controller.signal.aborted) {
      // A broken connection.
      await readOnce().catch(() => undefined);
      await retry();
    }
  };
  void follow();
  return () => controller.abort();
}

type Observer = Pick<Sink<ExecutionResult<{ changes: Page }, unknown>>, 'next' | 'error' | 'complete'>;

/** Subscribes by a client of graphql-sse that goes on after the last page, as docs/graphql.md has it; returns how to end it. */
function subscribeFromLast(
  { url, credentials, fetchFn, retry }: Following,
  request: RequestParams,
  observer: Observer,
): () => void {
  let cursor: string | undefined;
  const client = createClient({
    url,
    retryAttempts: Number.POSITIVE_INFINITY,
    headers: (): Record<string, string> => ({
      ...credentials,
      ...(cursor !== undefined && { 'Last-Event-ID': cursor }),
    }),
    retry,
    fetchFn,
  });
  client.subscribe<{ changes: Page }>(request, {
    ...observer,
    next: (result) => {
      cursor = result.data?.changes.page_info.end_cursor ?? cursor;
      observer.next(result);
    },
  });
  return () => client.dispose();
}

/** Follows by graphql-sse. */
export function followByGraphqlSse(following: Following): () => void {
  return subscribeFromLast(
    following,
    { query: following.query },
    {
      next: ({ data }) => {
        if (data) following.take(data.changes);
      },
      error: () => undefined,
      complete: () => undefined,
    },
  );
}

/** Follows by Apollo Client, with a link of graphql-sse. */
export function followByApollo(following: Following): () => void {
  const link = new ApolloLink(({ query: document, variables, operationName }) => {
    return new Observable((observer) =>
      subscribeFromLast(
        following,
        { query: print(document as DocumentNode), variables, ...(operationName !== undefined && { operationName }) },
        {
          next: (result) => observer.next(result as ApolloLink.Result),
          error: (error) => observer.error(error),
          complete: () => observer.complete(),
        },
      ),
    );
  });
  const client = new ApolloClient({ cache: new InMemoryCache(), link });
  const changes = client.subscribe<{ changes: Page }>({ query: gql(following.query), fetchPolicy: 'no-cache' });
  const subscription = changes.subscribe(({ data }) => {
    if (data) following.take(data.changes);
  });
  return () => {
    subscription.unsubscribe();
    client.stop();
  };
}
