/**
 * Reads a value of an address as JSON only where writing it gives the same text again. Codes and keys in links that were made elsewhere
 * stay what they are: `12e4` and twenty digits are no numbers.
 * @throws Error when it is no JSON, or not as this console writes it.
 */
export function searchValue(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (JSON.stringify(value) !== text) throw new Error('not written by this console')
  return value
}
