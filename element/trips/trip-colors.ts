/** Colours that can be distinguished on light and dark maps, with any colour vision; the first is that of a single trip. */
const PALETTE = ['#2563eb', '#d9480f', '#0b8a6a', '#9333ea', '#c2255c', '#0e7490', '#a16207', '#4d7c0f'] as const;

/** Returns the colour of the trip at `index`; `own`, unless it is empty, replaces the first colour. */
export function tripColor(index: number, own: string): string {
  const color = PALETTE[index % PALETTE.length] ?? PALETTE[0];
  return own && index % PALETTE.length === 0 ? own : color;
}
