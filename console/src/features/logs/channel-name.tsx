import { channelRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/query'
import { useViewer } from '../../lib/session'

interface ChannelNameProps {
  readonly id: number
  /** Shown where the channel is gone; its number by default. */
  readonly otherwise?: string
}

/** As the channel is called now, for those who may know. */
export function ChannelName({ id, otherwise = `#${id}` }: ChannelNameProps) {
  const enabled = useViewer().may('channels.read')
  const { data } = useRead(channelRoutes.getChannel, { params: { id } }, { staleTime: Infinity, enabled })
  return data?.id === id ? data.name : otherwise
}
