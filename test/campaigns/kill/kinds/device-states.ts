import { evaluateRegister } from '../evaluate.ts';
import type { WriteKind } from '../write-kind.ts';

const STATES = ['canceled', 'active'] as const;

/** The subscription of a device, canceled and taken up again, by REST and by GraphQL alternately. */
export const deviceStates: WriteKind = {
  name: 'device subscriptions (REST, GraphQL)',
  begin: async ({ number, fleet, newLedger }, server) => {
    const { headers } = fleet.owner;
    const key = fleet.devices[0]?.device_key ?? '';
    const ledger = newLedger();
    const read = async (from: typeof server) => {
      const query = `{ device(key: "${key}") { subscription_status } }`;
      return (await from.query<{ device: { subscription_status: string } }>(query, headers)).device.subscription_status;
    };
    const initial = await read(server);
    let next = initial === 'canceled' ? 1 : 0;
    return {
      ledger,
      writers: 1,
      write: async (to) => {
        const at = next++;
        const value = STATES[at % 2] ?? '';
        const query = `mutation { updateDevice(key: "${key}", input: { subscription_status: ${value} }) { key } }`;
        await ledger.send([ledger.note(`${number}-${at}`, value)], () =>
          at % 4 < 2
            ? to.ask(`/api/v2/device/${key}`, { headers, body: { subscription_status: value } })
            : to.ask('/graphql', { headers, body: { query } }),
        );
        return true;
      },
      verify: async (from, isFirst) =>
        isFirst ? evaluateRegister('GraphQL device', ledger.writes, await read(from), initial) : [],
    };
  },
};
