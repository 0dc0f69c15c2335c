import { add, argument, list, readBoolean, remove, type Resource, show, update } from '../shell/resource.ts';

const expiresOption = () => argument('--expires <time>', 'expires', 'when the link ends (ISO 8601)').neverEmpty();

/** `share` */
export const SHARE: Resource = {
  name: 'share',
  description: 'Links to pages that show a vehicle, a group or a trip to anyone who has them',
  columns: ['key', 'vehicle_key', 'group_key', 'trip_key', 'expires', 'ends_with_trip', 'opened_count', 'last_opened'],
  commands: [
    list('shares', 'List the shares of an account and of its apps'),
    show('share', 'Show a share'),
    add(
      'createShare',
      'Share a vehicle, a group or a trip, and print the link',
      '--account KEY --vehicle KEY --expires 2026-12-24T18:00:00Z',
      {
        secret: 'url',
        options: [
          argument('--vehicle <key>', 'vehicle_key', 'vehicle to share, from now on'),
          argument('--group <key>', 'group_key', 'group whose vehicles to share, at most 50'),
          argument('--trip <key>', 'trip_key', 'trip to share'),
          expiresOption(),
          argument('--ends-with-trip', 'ends_with_trip', 'end the link with its trip'),
          argument('--embed-origin <origin...>', 'embed_origins', 'origin whose pages may embed it; may be repeated'),
          argument('--embeds-live', 'embeds_live', 'let embedded maps follow the vehicle'),
        ],
      },
    ),
    update('updateShare', 'Change when a share ends', 'KEY --expires 2026-12-24T18:00:00Z', {
      options: [
        expiresOption(),
        argument('--ends-with-trip <boolean>', 'ends_with_trip', 'true to end the link with its trip')
          .choices(['true', 'false'])
          .readBy(readBoolean)
          .neverEmpty(),
      ],
    }),
    remove('deleteShare', 'Revoke a share; its page stops showing anything', { done: 'revoked' }),
  ],
};
