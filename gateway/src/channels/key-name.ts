import type { Channel, ChannelKey } from './catalog/catalog'

/** Returns the name of a channel's key: two channels may have the same key. */
export const keyName = ({ id }: Pick<Channel, 'id'>, { fingerprint }: Pick<ChannelKey, 'fingerprint'>): string =>
  `${id}:${fingerprint}`
