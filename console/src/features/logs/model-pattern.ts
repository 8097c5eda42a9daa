/** What the model field shows of a pattern: without the marks of a part that was typed. */
export const shownModel = (pattern: string | undefined): string | undefined =>
  pattern && /^%[^%]+%$/.test(pattern) ? pattern.slice(1, -1) : pattern

/** What is asked for: a known name as it is, a pattern too, anything else as a part of a name. */
export function modelPattern(typed: string | undefined, known: readonly string[]): string | undefined {
  if (!typed || typed.includes('%') || known.includes(typed)) return typed || undefined
  return `%${typed}%`
}
