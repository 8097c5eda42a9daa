/** So many times the usual amount is more likely a wrong unit than meant. */
const largeFactor = 100

/** In dollars: the largest of the amounts that are offered where a limit or a balance is typed. */
export const usualDollars = 1000

/** Returns whether an amount is more than a hundred times all that are usual for it. */
export const isUnusual = (amount: number, ...usual: readonly number[]): boolean =>
  Math.abs(amount) > largeFactor * Math.max(...usual)
