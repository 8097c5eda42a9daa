/** What parts and members of this dialect are marked with in the neutral form. */
export const dialectId = 'anthropic-messages'
