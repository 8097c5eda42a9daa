/** Prefix of the counter for a copied channel's initial used quota, followed by the channel's id: only the rest is from its own calls. */
export const inheritedQuotaPrefix = 'channel-inherited-quota:'
