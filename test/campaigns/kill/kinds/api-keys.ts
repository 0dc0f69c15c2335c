import { evaluate, evaluateRemovals } from '../evaluate.ts';
import type { Service } from '../service.ts';
import { jsonBody, type WriteKind } from '../write-kind.ts';
import { shownBy } from '../write.ts';

interface Issued {
  readonly key: string;
  readonly api_key: string;
}

interface SecurityEvents {
  readonly securityEvents: {
    readonly nodes: readonly { readonly kind: string; readonly subject: string | null }[];
    readonly page_info: { readonly end_cursor: string | null; readonly has_next_page: boolean };
  };
}

const MAX_A_ROUND = 12;

/** API keys, every second of them revoked, by GraphQL; what they open, by REST. */
export const apiKeys: WriteKind = {
  name: 'API keys (GraphQL)',
  begin: async ({ number, fleet, newLedger }) => {
    const { headers } = fleet.owner;
    const ledger = newLedger();
    const removals = newLedger();
    const secrets = new Map<string, string>();
    let next = 0;
    const ask = (to: Service, query: string) => to.ask('/graphql', { headers, body: { query } });
    return {
      ledger,
      writers: 1,
      write: async (to) => {
        const at = next++;
        const answer = await ledger.send([], () => ask(to, 'mutation { issued: issueApiKey { key api_key } }'));
        if (!answer) return at < MAX_A_ROUND;
        const { key, api_key } = jsonBody<{ data: { issued: Issued } }>(answer).data.issued;
        ledger.noteAnswered(key, key);
        secrets.set(key, api_key);
        if (at % 2 === 0) {
          const query = `mutation { revokeApiKey(key: "${key}") { key } }`;
          await removals.send([removals.note(key, '')], () => ask(to, query));
        }
        return at < MAX_A_ROUND;
      },
      verify: async (from, isFirst) => {
        const { apiKeys: listed } = await from.query<{ apiKeys: { nodes: { key: string; revoked: string | null }[] } }>(
          '{ apiKeys(first: 1000) { nodes { key revoked } } }',
          headers,
        );
        const opening = new Set<string>();
        for (const [key, secret] of secrets) {
          const { status } = await from.ask('/api/v2/account', { headers: { 'service-api-key': secret } });
          if (status === 200) opening.add(key);
        }
        // A later round may have stepped the clock beyond the time for which they are kept.
        const events = isFirst ? await securityEvents(from, headers) : [];
        const created = events.filter(({ kind }) => kind === 'api_key_created');
        const revoked = new Set(events.filter(({ kind }) => kind === 'api_key_revoked').map(({ subject }) => subject));
        const gone = new Set(removals.writes.map(({ id }) => id));
        const mine = listed.nodes.filter(({ key }) => secrets.has(key));
        const unrevoked = new Set(mine.filter((key) => key.revoked === null).map(({ key }) => key));
        const unlogged = new Set([...gone].filter((key) => !revoked.has(key)));
        return [
          ...evaluate(ledger.writes, [
            { name: 'GraphQL apiKeys', shown: shownBy(mine.map(({ key }) => [key, key])) },
            ...(isFirst
              ? [
                  {
                    name: 'GraphQL securityEvents',
                    shown: shownBy(created.map(({ subject }) => [String(subject), String(subject)])),
                  },
                ]
              : []),
          ]),
          ...evaluate(
            ledger.writes.filter(({ id }) => !gone.has(id)),
            [
              {
                name: `GET /account by a key of round ${number}`,
                shown: shownBy([...opening].map((key) => [key, key])),
              },
            ],
          ),
          ...evaluateRemovals('GET /account', removals.writes, opening),
          ...evaluateRemovals('GraphQL apiKeys', removals.writes, unrevoked),
          ...(isFirst ? evaluateRemovals('the lack of a security event', removals.writes, unlogged) : []),
        ];
      },
    };
  },
};

/** The security events of the account, the newest first. */
async function securityEvents(from: Service, headers: Readonly<Record<string, string>>) {
  const events: { kind: string; subject: string | null }[] = [];
  let after = '';
  for (;;) {
    const query = `{ securityEvents(first: 1000${after}) { nodes { kind subject } page_info { end_cursor has_next_page } } }`;
    const { nodes, page_info } = (await from.query<SecurityEvents>(query, headers)).securityEvents;
    events.push(...nodes);
    if (!page_info.has_next_page) return events;
    after = `, after: "${page_info.end_cursor}"`;
  }
}
