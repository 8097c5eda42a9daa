/**
 * Parses a value of an address as JSON only where that round-trips exactly. Codes and keys in external links stay texts: `12e4` and twenty
 * digits are not numbers.
 * @throws Error when it is not JSON, or not as this console writes it.
 */
export function searchValue(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (JSON.stringify(value) !== text) throw new Error('not written by this console')
  return value
}
