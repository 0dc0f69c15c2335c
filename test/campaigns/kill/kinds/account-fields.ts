import { evaluateRegister } from '../evaluate.ts';
import type { WriteKind } from '../write-kind.ts';

const FIELDS = ['nickname', 'external_id', 'street', 'city', 'zipcode'] as const;
type Fields = Readonly<Record<(typeof FIELDS)[number], string>>;

const valueOfFields = (fields: Fields) => [...new Set(FIELDS.map((field) => fields[field]))].join(' and ');

/** Fields of the account, all of them changed to the same value, by REST and by GraphQL alternately. */
export const accountFields: WriteKind = {
  name: 'account fields (REST, GraphQL)',
  begin: async ({ number, fleet, newLedger }, server) => {
    const { headers } = fleet.owner;
    const ledger = newLedger();
    const read = async (from: typeof server) =>
      valueOfFields((await from.read<Fields>('/api/v2/account', headers)).json);
    const initial = await read(server);
    let next = 0;
    return {
      ledger,
      writers: 1,
      write: async (to) => {
        const value = `R${number}-${next++}`;
        const fields = Object.fromEntries(FIELDS.map((field) => [field, value]));
        const input = FIELDS.map((field) => `${field}: "${value}"`).join(', ');
        const query = `mutation { updateAccount(input: { ${input} }) { key } }`;
        await ledger.send([ledger.note(value, value)], () =>
          next % 2 === 0
            ? to.ask('/api/v2/account', { headers, body: fields })
            : to.ask('/graphql', { headers, body: { query } }),
        );
        return true;
      },
      verify: async (from, isFirst) => {
        if (!isFirst) return [];
        const { account } = await from.query<{ account: Fields }>(`{ account { ${FIELDS.join(' ')} } }`, headers);
        return [
          ...evaluateRegister('GET /account', ledger.writes, await read(from), initial),
          ...evaluateRegister('GraphQL account', ledger.writes, valueOfFields(account), initial),
        ];
      },
    };
  },
};
