import type { priceSyncRoutes } from '@tollgate/contract'

const lists: Readonly<Record<string, string>> = {
  litellm: 'LiteLLM',
  'models.dev': 'models.dev',
  'yuan-rate': 'USD → CNY',
}

/** Returns the name of a source: a list's own, or that of the gateway's channel. */
export const sourceName = ({ name, channel_name: channel, channel_id: id }: priceSyncRoutes.PriceSource): string =>
  lists[name] ?? `${channel} #${id}`
