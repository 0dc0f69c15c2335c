/** Groups items by a name of each, in their order. */
export function groupedBy<Item, Name = string>(
  items: readonly Item[],
  nameOf: (item: Item) => Name,
): Map<Name, Item[]> {
  const groups = new Map<Name, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

/** Divides items into lists of at most a number of them, such as for conditions that name each. */
export function inParts<Item>(items: readonly Item[], max: number): Item[][] {
  const parts: Item[][] = [];
  for (let from = 0; from < items.length; from += max) parts.push(items.slice(from, from + max));
  return parts;
}
