import { accountFields } from './kinds/account-fields.ts';
import { apiKeys } from './kinds/api-keys.ts';
import { apps } from './kinds/apps.ts';
import { comments } from './kinds/comments.ts';
import { deviceStates } from './kinds/device-states.ts';
import { groups } from './kinds/groups.ts';
import { media } from './kinds/media.ts';
import { oauthTokens } from './kinds/oauth-tokens.ts';
import { devicePositions, forwardedPositions } from './kinds/positions.ts';
import { postChanges } from './kinds/post-changes.ts';
import { posts } from './kinds/posts.ts';
import { privacyZones } from './kinds/privacy-zones.ts';
import { terms } from './kinds/terms.ts';
import { tripImports } from './kinds/trip-imports.ts';
import { tripTokens } from './kinds/trip-tokens.ts';
import { webhooks } from './kinds/webhooks.ts';
import type { WriteKind } from './write-kind.ts';

/** Every kind of write, for one campaign. */
export function allKinds(): readonly WriteKind[] {
  return [
    groups,
    accountFields,
    deviceStates,
    privacyZones,
    apiKeys,
    apps,
    devicePositions,
    forwardedPositions,
    tripImports(),
    posts,
    postChanges,
    comments,
    terms,
    media,
    tripTokens,
    oauthTokens,
    webhooks,
  ];
}
