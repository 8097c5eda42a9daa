/** Returns what the model field shows of a pattern: without the marks of a part that was typed. */
export const shownModel = (pattern: string): string => (/^%[^%]+%$/.test(pattern) ? pattern.slice(1, -1) : pattern)

/** Returns what is asked for where something else than a known name was typed: a pattern as it is, else a part of a name. */
export const modelPattern = (typed: string): string => (typed.includes('%') ? typed : `%${typed}%`)
