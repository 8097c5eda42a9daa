/** Returns a pattern as shown in the model field: without the wildcards of a typed part. */
export const shownModel = (pattern: string): string => (/^%[^%]+%$/.test(pattern) ? pattern.slice(1, -1) : pattern)

/** Returns the pattern of text other than a known name: a pattern as it is, or else a part of a name. */
export const modelPattern = (typed: string): string => (typed.includes('%') ? typed : `%${typed}%`)
