/**
 * Prefix of the counter that says what a copied channel's used quota began with, followed by the channel's id:
 * only the rest is of its own calls.
 */
export const inheritedQuotaPrefix = 'channel-inherited-quota:'
