/** The one font whose glyphs are served to maps: Noto Sans, under the SIL Open Font License 1.1. */
export const MAP_FONT = 'Noto Sans Regular';
