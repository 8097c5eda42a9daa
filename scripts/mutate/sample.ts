/** Returns `count` of the items, chosen by the seed, in the order they were in. */
export function sample<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const random = numbersOf(seed)
  const ranked = items.map((item, index) => ({ item, index, rank: random() }))
  const chosen = ranked.sort((one, other) => one.rank - other.rank).slice(0, count)
  return chosen.sort((one, other) => one.index - other.index).map(({ item }) => item)
}

/** Numbers from 0 to 1 (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
