/** The texts that a token stores. Pure. */

const partsOf = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Returns the models that a token is limited to. */
export const modelsOf = (limits: string): string[] => partsOf(limits, ',')

/** Returns the addresses and ranges that a token may be used from. */
export const addressesOf = (allowed: string): string[] => partsOf(allowed, '\n')

/** Returns the key as clients send it; the server stores it without the prefix. */
export const shownKey = (key: string): string => `sk-${key}`
