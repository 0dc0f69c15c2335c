import { askWaybridge } from '../../../processes/waybridge-process.ts';
import { evaluate, evaluateRemovals } from '../evaluate.ts';
import type { WriteKind } from '../write-kind.ts';
import { shownBy } from '../write.ts';

/** A command takes longer than all other writes of a round. */
const ROUNDS_A_GRANT = 4;

/** OAuth access tokens, granted by the command line; one in some rounds; every second is revoked by OAuth's revocation. */
export const oauthTokens: WriteKind = {
  name: 'OAuth grants (command, OAuth)',
  // They live for hours of the clock with which they were issued; and no power is lost for a command that runs on.
  without: ['clock step', 'power loss'],
  begin: async ({ number, fleet, newLedger }) => {
    const { app, owner, settings } = fleet;
    const ledger = newLedger();
    const removals = newLedger();
    const tokens = new Map<string, string>();
    const authorization = `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`;
    return {
      ledger,
      writers: number % ROUNDS_A_GRANT === 1 ? 1 : 0,
      write: async (to) => {
        const id = `Grant ${number}`;
        const write = ledger.note(id, '200');
        const args = ['oauth-token', 'issue', '--app', app.client_id, '--user', owner.owner_key];
        ledger.counts.attempted++;
        tokens.set(id, String((await askWaybridge(args, settings)).access_token));
        ledger.acknowledge([write]);
        if (number % (2 * ROUNDS_A_GRANT) === 1) return false;
        const form = { 'content-type': 'application/x-www-form-urlencoded', authorization };
        await removals.send([removals.note(id, '')], () =>
          to.ask('/oauth/revoke', { headers: form, body: `token=${tokens.get(id)}` }),
        );
        return false;
      },
      verify: async (from, isFirst) => {
        // A later round may have stepped the clock beyond their end.
        if (!isFirst) return [];
        const opened: [string, string][] = [];
        for (const [id, token] of tokens) {
          const { status } = await from.ask('/api/v2/account', { headers: { authorization: `Bearer ${token}` } });
          if (status === 200) opened.push([id, '200']);
        }
        const gone = new Set(removals.writes.map(({ id }) => id));
        const standing = ledger.acknowledged.filter(({ id }) => !gone.has(id));
        return [
          ...evaluate(standing, [{ name: 'GET /account by the token', shown: shownBy(opened) }]),
          ...evaluateRemovals('GET /account', removals.writes, new Set(opened.map(([id]) => id))),
        ];
      },
    };
  },
};
