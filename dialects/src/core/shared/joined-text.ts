import type { JsonObject } from '../json'

/** Numbers of events, and what pads them. */
const ofEach: ReadonlySet<string> = new Set(['sequence_number', 'obfuscation'])

/**
 * Adds the text in `member` to that of the piece before it, where nothing else distinguishes the two, and returns whether it did. What waits
 * for something else stays few pieces, however finely its upstream cut it.
 */
export function joinsText(last: JsonObject | undefined, next: JsonObject, member: string): boolean {
  if (last === undefined) return false
  const [text, more] = [last[member], next[member]]
  if (typeof text !== 'string' || typeof more !== 'string') return false
  for (const name in next) if (name !== member && !ofEach.has(name) && next[name] !== last[name]) return false
  for (const name in last) if (!(name in next) && !ofEach.has(name)) return false
  last[member] = text + more
  return true
}
