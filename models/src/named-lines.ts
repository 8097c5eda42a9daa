/** Names come from clients, so what is remembered is bounded. */
const maxRemembered = 5000

/** Returns a function that returns a catalog's lines by the name that each begins with; they are made at first use. */
export function namedLines(text: string): () => ReadonlyMap<string, string> {
  let lines: ReadonlyMap<string, string> | null = null
  return () => (lines ??= new Map(text.split('\n').map((line) => [line.slice(0, line.indexOf(' ')), line])))
}

/** Returns the look-up, which remembers what it found under each name. */
export function remembering<Found>(lookUp: (name: string) => Found | null): (name: string) => Found | null {
  const remembered = new Map<string, Found | null>()
  return (name) => {
    const known = remembered.get(name)
    if (known !== undefined) return known
    if (remembered.size >= maxRemembered) remembered.clear()
    const found = lookUp(name)
    remembered.set(name, found)
    return found
  }
}
