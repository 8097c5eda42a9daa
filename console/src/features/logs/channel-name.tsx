import { channelRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'

interface ChannelNameProps {
  readonly id: number
  /** Shown for a deleted channel; its id by default. */
  readonly otherwise?: string
}

/** The current name of a channel, for readers who may see it. */
export function ChannelName({ id, otherwise = `#${id}` }: ChannelNameProps) {
  const enabled = useViewer().may('channels.read')
  const { data } = useRead(channelRoutes.getChannel, { params: { id } }, { staleTime: Infinity, enabled })
  return data?.id === id ? data.name : otherwise
}
