/** The sizes in pixels in which a picture of somebody is offered. */
export const AVATAR_SIZES = [24, 48, 96] as const;

/** JSON Schema keywords of a field with {@link AVATAR_SIZES}. */
export const AVATAR_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(
    AVATAR_SIZES.map((size) => [
      size,
      {
        description: `Avatar URL with image size of ${size} pixels.`,
        type: 'string',
        format: 'uri',
        context: ['embed', 'view', 'edit'],
      },
    ]),
  ),
} as const;

/** Addresses of pictures of somebody, by their size in pixels. */
export type AvatarUrls = Readonly<Record<string, string>>;
