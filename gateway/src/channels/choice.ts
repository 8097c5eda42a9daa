import type { Channel, ChannelKey } from './catalog/catalog'

/** The channel and the key that serve one attempt. */
export interface Choice {
  readonly channel: Channel
  readonly key: ChannelKey
  /** The model without the channel's prefix, before the channel's mapping. */
  readonly model: string
}
