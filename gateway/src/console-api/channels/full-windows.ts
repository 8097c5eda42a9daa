import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import { endless } from '../../billing/ledger/window/schedule'
import { findUsedUp } from '../../billing/ledger/window/standings'
import type { Channel } from '../../channels/catalog/catalog'
import { windowsOf } from '../../channels/catalog/channel-windows'
import type { Context } from '../../context'

/** A window that keeps a channel from being called. */
export interface ChannelWindow {
  readonly name: string
  /** Until it begins anew; 0 where that is not known, or never. */
  readonly secondsLeft: number
}

/**
 * Resolves with the window that keeps each of these channels from being called now: of those of its keys, the one that begins anew first. A
 * channel is missing where a key has room.
 */
export async function findFullWindows(
  {
    catalog: { current: catalog },
    database,
    ledger,
    clock,
  }: Pick<Context, 'catalog' | 'database' | 'ledger' | 'clock'>,
  channels: readonly Channel[],
): Promise<ReadonlyMap<number, ChannelWindow>> {
  const ofKeys = channels
    .map((channel) => ({
      id: channel.id,
      windows: channel.keys
        .filter(({ isEnabled }) => isEnabled)
        .map((key) => windowsOf(catalog, { channel, key }) ?? []),
    }))
    .filter(({ windows }) => windows.length > 0 && windows.every((own) => own.length > 0))
  if (ofKeys.length === 0) return new Map()
  const now = clock.seconds()
  const all = new Map(ofKeys.flatMap(({ windows }) => windows.flat()).map((window) => [window.account, window]))
  const usedUp = await findUsedUp(database.query, [...all.values()], now)
  const endOf = (own: readonly LimitWindow[]): { name: string; endsAt: number } | null => {
    const window = own.find(({ account }) => usedUp.has(account))
    if (window) return { name: window.name, endsAt: usedUp.get(window.account) ?? endless }
    // Calls at the same time are known to the workers alone.
    const full = ledger.fullWindow(own)
    return full && { name: full.window.name, endsAt: full.freeAt ?? endless }
  }
  const found = new Map<number, ChannelWindow>()
  for (const { id, windows } of ofKeys) {
    const ends = windows.map(endOf).filter((end) => end !== null)
    const first = ends.toSorted((one, other) => one.endsAt - other.endsAt).at(0)
    if (!first || ends.length < windows.length) continue
    found.set(id, { name: first.name, secondsLeft: first.endsAt === endless ? 0 : first.endsAt - now })
  }
  return found
}
