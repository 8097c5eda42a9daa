/** The texts in which a token keeps its lists. Pure. */

const partsOf = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Models a token is limited to. */
export const modelsOf = (limits: string): string[] => partsOf(limits, ',')

/** Addresses and ranges a token may be used from. */
export const addressesOf = (allowed: string): string[] => partsOf(allowed, '\n')
