/** Characters of a password that is set here; the server's rule. */
const shortest = 8
const longest = 64

/** What is wrong with the length of a new password. */
export function lengthFault(password: string): 'short' | 'long' | null {
  const { length } = Array.from(password)
  if (length < shortest) return 'short'
  return length > longest ? 'long' : null
}
