import { channelRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/query'

interface ChannelNameProps {
  readonly id: number
  /** Shown where the channel is gone; its number by default. */
  readonly otherwise?: string
}

/** As the channel is called now. */
export function ChannelName({ id, otherwise = `#${id}` }: ChannelNameProps) {
  const { data } = useRead(channelRoutes.getChannel, { params: { id } }, { staleTime: Infinity })
  return data?.id === id ? data.name : otherwise
}
