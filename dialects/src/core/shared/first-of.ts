/** Returns the first of the items that have the same key, by that key. */
export function firstOf<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item> {
  const found = new Map<string, Item>()
  for (const item of items) {
    const key = keyOf(item)
    if (!found.has(key)) found.set(key, item)
  }
  return found
}
