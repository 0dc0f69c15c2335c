import { askWaybridge } from '../../../processes/waybridge-process.ts';
import { evaluate } from '../evaluate.ts';
import { type Fleet, ORIGIN } from '../fleet.ts';
import type { Service } from '../service.ts';
import { jsonBody, type WriteKind } from '../write-kind.ts';
import { shownBy } from '../write.ts';

const ROLES = 'service://<service-trips-map />';
const MAX_A_ROUND = 10;

/** Special-purpose tokens, which must open the trips of their vehicle; later rounds may have stepped the clock beyond their end. */
export const tripTokens: WriteKind = {
  name: 'special-purpose tokens',
  // They live for minutes of the clock with which they were issued.
  without: ['clock step'],
  begin: async ({ number, fleet, newLedger }, server) => {
    const { app, importVehicle } = fleet;
    const accessToken = await validToken(server, fleet);
    const ledger = newLedger();
    const tokens = new Map<string, string>();
    let next = 0;
    return {
      ledger,
      writers: 1,
      write: async (to) => {
        const id = `Token ${number}-${next++}`;
        const body = {
          ...app,
          sub: `vehicle:${importVehicle}`,
          aud: ORIGIN,
          roles: ROLES,
          scope: 'loc-past',
        };
        const answer = await ledger.send([ledger.note(id, '200')], () =>
          to.ask('/api/special-purpose/v1/token', { headers: { authorization: `Bearer ${accessToken}` }, body }),
        );
        if (answer) tokens.set(id, jsonBody<{ token: string }>(answer).token);
        return next < MAX_A_ROUND;
      },
      verify: async (from, isFirst) => {
        if (!isFirst) return [];
        const query = `{ trips(vehicle_key: "${importVehicle}", started_after: "2026-01-01", started_before: "2026-01-02", first: 1) { nodes { key } } }`;
        const opened: [string, string][] = [];
        for (const [id, token] of tokens) {
          const headers = { authorization: `Bearer ${token}`, origin: ORIGIN };
          const { status, text } = await from.ask('/graphql', { headers, body: { query } });
          opened.push([id, text.includes('"errors"') ? text : String(status)]);
        }
        return evaluate(ledger.acknowledged, [{ name: 'GraphQL by the token', shown: shownBy(opened) }]);
      },
    };
  },
};

/** The access token of the fleet, or a new one: a clock that was ten years ahead has removed those that had expired by then. */
async function validToken(server: Service, { accessToken, app, owner, settings }: Fleet): Promise<string> {
  const headers = { authorization: `Bearer ${accessToken}` };
  if ((await server.ask('/api/v2/account', { headers })).status === 200) return accessToken;
  const args = ['oauth-token', 'issue', '--app', app.client_id, '--user', owner.owner_key];
  return String((await askWaybridge(args, settings)).access_token);
}
