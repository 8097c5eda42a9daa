import { channelRoutes } from '@tollgate/contract'

/** Reads to refresh when a channel changes. */
export const channelReads = [
  channelRoutes.listChannels,
  channelRoutes.searchChannels,
  channelRoutes.getChannel,
  channelRoutes.channelHistory,
  channelRoutes.explainRoute,
  channelRoutes.enabledModels,
] as const
