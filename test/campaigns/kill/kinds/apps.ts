import { evaluate } from '../evaluate.ts';
import { ORIGIN, ROUNDS_A_PUBLISHER } from '../fleet.ts';
import { jsonBody, type WriteKind } from '../write-kind.ts';
import { shownBy } from '../write.ts';

interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** An account registers 30 apps an hour. */
const MAX_A_ROUND = 3;

/** Apps, registered by GraphQL; their secrets, by OAuth's introspection. */
export const apps: WriteKind = {
  name: 'apps (GraphQL, OAuth)',
  begin: async ({ number, fleet, newLedger }) => {
    const publisher = fleet.publishers[Math.floor((number - 1) / ROUNDS_A_PUBLISHER)] ?? fleet.owner;
    const { headers } = publisher;
    const ledger = newLedger();
    const secrets = new Map<string, Credentials>();
    let next = 0;
    return {
      ledger,
      writers: 1,
      write: async (to) => {
        const at = next++;
        const name = `Planner ${number}-${at}`;
        const args = `name: "${name}", redirect_uris: ["${ORIGIN}/${at}"]`;
        const query = `mutation { app: registerApp(input: { ${args} }) { client_id client_secret } }`;
        const answer = await ledger.send([ledger.note(name, `${ORIGIN}/${at}`)], () =>
          to.ask('/graphql', { headers, body: { query } }),
        );
        if (answer) secrets.set(name, jsonBody<{ data: { app: Credentials } }>(answer).data.app);
        return next < MAX_A_ROUND;
      },
      verify: async (from) => {
        type Listed = { apps: { nodes: { name: string; redirect_uris: string[] }[] } };
        const { apps: list } = await from.query<Listed>(
          '{ apps(first: 1000) { nodes { name redirect_uris } } }',
          headers,
        );
        const good: [string, string][] = [];
        for (const [name, { client_id, client_secret }] of secrets) {
          const form = { 'content-type': 'application/x-www-form-urlencoded' };
          const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
          const answer = await from.ask('/oauth/introspect', {
            headers: { ...form, authorization },
            body: 'token=none',
          });
          if (answer.status === 200) good.push([name, ledger.note(name, '').value]);
        }
        return evaluate(ledger.writes, [
          { name: 'GraphQL apps', shown: shownBy(list.nodes.map((app) => [app.name, app.redirect_uris.join()])) },
          { name: 'POST /oauth/introspect', shown: shownBy(good), covers: 'acknowledged' },
        ]);
      },
    };
  },
};
