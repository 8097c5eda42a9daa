import { channelRoutes, channelStatus } from '@tollgate/contract'
import { parseJson } from '../../lib/text/parse-json'

export type Channel = channelRoutes.ChannelEntity

/** A row of the list: a channel, or all channels of a tag. */
export type Row =
  | { readonly kind: 'channel'; readonly channel: Channel; readonly isChild: boolean }
  | { readonly kind: 'tag'; readonly tag: string; readonly channels: readonly Channel[] }

/** Groups channels of one tag into one row; those of an expanded tag follow it. */
export function rolledUp(channels: readonly Channel[], opened: ReadonlySet<string>): readonly Row[] {
  const rows: Row[] = []
  const seen = new Set<string>()
  for (const channel of channels) {
    const { tag } = channel
    if (!tag) rows.push({ kind: 'channel', channel, isChild: false })
    else if (!seen.has(tag)) {
      seen.add(tag)
      const own = channels.filter((other) => other.tag === tag)
      rows.push({ kind: 'tag', tag, channels: own })
      if (opened.has(tag))
        rows.push(...own.map((child) => ({ kind: 'channel', channel: child, isChild: true }) as const))
    }
  }
  return rows
}

export const keyOf = (row: Row): string => (row.kind === 'tag' ? `tag:${row.tag}` : String(row.channel.id))

export const channelsOf = (row: Row): readonly Channel[] => (row.kind === 'tag' ? row.channels : [row.channel])

/** Returns the value that all of them share, or undefined. */
export function common(channels: readonly Channel[], key: 'priority' | 'weight'): number | undefined {
  const first = channels[0]?.[key]
  return channels.every((channel) => channel[key] === first) ? first : undefined
}

/** Returns why and when (0: unknown) a channel was disabled, if recorded. */
export function statusReason(otherInfo: string): { readonly reason: string; readonly time: number } | undefined {
  const info = channelRoutes.ChannelInfo.safeParse(parseJson(otherInfo)).data
  return info?.status_reason ? { reason: info.status_reason, time: info.status_time ?? 0 } : undefined
}

/** Returns how often, and when last, the upstream reported impossible usage; undefined: never. */
export function cappedUsage(otherInfo: string): { readonly count: number; readonly time: number } | undefined {
  const info = channelRoutes.ChannelInfo.safeParse(parseJson(otherInfo)).data
  return info?.capped_count ? { count: info.capped_count, time: info.capped_at ?? 0 } : undefined
}

export const isEnabled = ({ status }: Pick<Channel, 'status'>): boolean => status === channelStatus.enabled

/** Vendors of tasks alone have no call that is cheap enough to test. */
export const isTestable = (vendor: Pick<channelRoutes.ChannelType, 'modes'> | undefined): boolean =>
  vendor?.modes.length !== 0

/** The specification's limits: untested, up to 1 s, 3 s, 5 s, and above. */
export function responseColor(milliseconds: number): 'gray' | 'green' | 'lime' | 'yellow' | 'red' {
  if (milliseconds <= 0) return 'gray'
  if (milliseconds <= 1_000) return 'green'
  if (milliseconds <= 3_000) return 'lime'
  return milliseconds <= 5_000 ? 'yellow' : 'red'
}

export const listOf = (commaSeparated: string): readonly string[] =>
  commaSeparated
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
