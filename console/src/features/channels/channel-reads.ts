import { channelRoutes } from '@tollgate/contract'

/** What is read of channels, and asked for again when one changes. */
export const channelReads = [
  channelRoutes.listChannels,
  channelRoutes.searchChannels,
  channelRoutes.getChannel,
  channelRoutes.channelHistory,
  channelRoutes.explainRoute,
  channelRoutes.enabledModels,
] as const
