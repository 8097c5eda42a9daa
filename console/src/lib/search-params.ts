import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router'

/**
 * Reads a value of an address as JSON only where writing it gives the same text again. Codes and keys in links that were made elsewhere
 * stay what they are: `12e4` and twenty digits are no numbers.
 */
function valueOf(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (JSON.stringify(value) !== text) throw new Error('not written by this console')
  return value
}

export const parseSearch = parseSearchWith(valueOf)
export const stringifySearch = stringifySearchWith(JSON.stringify, valueOf)
