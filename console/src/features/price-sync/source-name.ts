import type { priceSyncRoutes } from '@tollgate/contract'

const lists: Readonly<Record<string, string>> = { litellm: 'LiteLLM', 'models.dev': 'models.dev' }

/** What a source is called: a list by its own name, a gateway by its channel's. */
export const sourceName = ({ name, channel_name: channel, channel_id: id }: priceSyncRoutes.PriceSource): string =>
  lists[name] ?? `${channel} #${id}`
