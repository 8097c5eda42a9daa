import { makers } from '@tollgate/providers'

/** Returns the display names of these model makers. */
export function makerNames(ids: Iterable<string>, language: 'zh' | 'en'): Record<string, string> {
  const occurring = new Set(ids)
  const known = [...makers.values()].filter(({ id }) => occurring.has(id))
  return Object.fromEntries(known.map(({ id, name }) => [id, name[language]]))
}
