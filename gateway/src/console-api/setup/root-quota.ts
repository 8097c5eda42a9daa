/** What the account of the set-up is given. */
export const rootQuota = 100_000_000
