/** Returns the member at the end of a path of a parsed file; undefined where there is none. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((inner, name) => new Map(entriesOf(inner)).get(name), value)
}

/** Returns the members of an object or array; none of anything else. */
export function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
