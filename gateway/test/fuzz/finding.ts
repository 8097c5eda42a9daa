/** What a hostile call brought to light. */
export interface Finding {
  /** The same for all calls that fail alike. */
  readonly kind: string
  /** The call and what came back, shortened. */
  readonly details: string
}

const maxShown = 600

/** Returns a text that may be long or unprintable, for a person to read. */
export const shorten = (text: string): string =>
  JSON.stringify(text.length > maxShown ? `${text.slice(0, maxShown)}… (${text.length})` : text)

/** Real time, far above what any call needs: whatever takes longer hangs. */
const maxMs = 30_000

/** Resolves with what the work resolves with. @throws Error when it takes longer than any call should. */
export async function within<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('hangs')), maxMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** How many characters of the input an error may repeat. */
const maxRepeated = 300

/** An escaped character is one, as its reader sees it. */
const unescapeAll = (text: string): string => text.replace(/\\u[0-9a-f]{4}/gi, '?')

/** Returns whether an error repeats a long part of what was sent: any run of `maxRepeated` characters. */
export function repeatsAtLength(writtenError: string, written: string): boolean {
  const [error, sent] = [unescapeAll(writtenError), unescapeAll(written)]
  for (let at = 0; at + maxRepeated <= error.length; at += 1)
    if (sent.includes(error.slice(at, at + maxRepeated))) return true
  return false
}
