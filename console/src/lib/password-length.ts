/** Minimum length of a new password; the server's rule. */
const shortest = 8
const longest = 64

/** Returns what is wrong with the length of a new password. */
export function lengthFault(password: string): 'short' | 'long' | null {
  const { length } = Array.from(password)
  if (length < shortest) return 'short'
  return length > longest ? 'long' : null
}
