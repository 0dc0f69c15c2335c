import { Account } from '../../schema/account/account.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, nested, nullable, required, type StoredField } from '../store/stored-fields.ts';

/** Plans that an account can have; the API keys of a `basic` account are disabled. */
export const ACCOUNT_PLANS = ['premium', 'basic'] as const;

/** One of {@link ACCOUNT_PLANS}. */
export type AccountPlan = (typeof ACCOUNT_PLANS)[number];

/** A removal in progress of a record of which one must remain: see `keep-one.ts`. */
const removal = nested({ key: required(String), token: required(String) });

/** A move of a group in progress: its new parent, null for the account itself. */
const move = nested({ key: required(String), parent_key: nullable(String), token: required(String) });

/** Accounts. */
export const AccountStore = storeOf(Account, {
  collection: 'accounts',
  tenancy: 'self',
  computed: ['user_count'],
  decides: ['account_plan'],
  indexes: [
    [{ 'retention.positions_days': 1 }, { sparse: true }],
    [{ 'retention.pending.effective': 1 }, { sparse: true }],
  ],
  hidden: {
    account_plan: { type: String, enum: ACCOUNT_PLANS, default: 'premium' } as StoredField<AccountPlan>,
    administrator_removal: nullable(removal),
    api_key_removal: nullable(removal),
    group_move: nullable(move),
    /** Number of started moves. */
    group_moves: defaulting(Number, 0),
    /** Counts the changes of its places: see `placesChanged`. */
    places_revision: defaulting(Number, 0),
    /** Counts the changes of its rules: see `rulesChanged`. */
    rules_revision: defaulting(Number, 0),
  },
});

/** A move of a group, as recorded in its account. */
export type GroupMove = NonNullable<StoredIn<typeof AccountStore>['group_move']>;
