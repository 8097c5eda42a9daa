import type { Channel, ChannelKey } from '../catalog/catalog'

/** The name of a channel's key: two channels may hold the same key. */
export const keyName = ({ id }: Pick<Channel, 'id'>, { fingerprint }: Pick<ChannelKey, 'fingerprint'>): string =>
  `${id}:${fingerprint}`
