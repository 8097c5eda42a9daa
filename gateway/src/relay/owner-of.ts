import type { Caller } from './call'

/**
 * Returns whose tasks and objects at vendors a caller sees. A key that is limited to some models is given to others, so it sees what it made;
 * any other sees what its user made.
 */
export const ownerOf = ({ account, key }: Pick<Caller, 'account' | 'key'>) => ({
  userId: account.id,
  tokenId: key !== null && key.models !== null ? key.id : null,
})
