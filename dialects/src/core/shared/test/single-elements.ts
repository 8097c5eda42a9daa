/** Returns a request in which what is alone in its list stands in its place: Google's APIs read both alike. */
export function withSingleElements(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? withSingleElements(value[0]) : value.map(withSingleElements)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withSingleElements(member)]))
}
