import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';
import type { PlaceIndex } from './place-index.ts';
import type { AccountRules } from '../rules/account-rules.ts';

/** Areas and rules of an account that positions are compared with. */
export interface AccountAreas {
  readonly zones: readonly PrivacyZone[];
  readonly places: PlaceIndex;
  readonly rules: AccountRules;
}
