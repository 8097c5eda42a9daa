import { channelRoutes } from '@tollgate/contract'

interface Placed {
  readonly id: number
  readonly priority: number
}

/** Distance of a new first or last tier, which leaves room for others in between. */
const apart = 10

/**
 * Returns the priority that moves the channel at `from` before the one at `to` (the length: to the end), or null when that changes nothing.
 * The list is sorted by descending priority; channels with the same priority share calls and have no order of their own. `isOpenEnd`: more
 * channels follow on later pages.
 */
export function movedPriority(
  list: readonly Placed[],
  from: number,
  to: number,
  { isOpenEnd = false }: { readonly isOpenEnd?: boolean } = {},
): number | null {
  const moved = list[from]
  if (!moved || to === from || to === from + 1) return null
  const above = list[to - 1]
  const below = list[to]
  const next = between(above?.priority, below?.priority, { isUpwards: to < from, isOpenEnd })
  return next === undefined || next === moved.priority ? null : next
}

interface Direction {
  readonly isUpwards: boolean
  readonly isOpenEnd: boolean
}

function between(above: number | undefined, below: number | undefined, { isUpwards, isOpenEnd }: Direction) {
  if (above === undefined) return below === undefined ? undefined : below + apart
  if (below === undefined) return isOpenEnd ? above : Math.max(channelRoutes.lowestPriority, above - apart)
  const middle = (above + below) / 2
  // Where no integer is left between two tiers, it joins the one it was moved towards.
  return isUpwards ? Math.ceil(middle) : Math.floor(middle)
}
