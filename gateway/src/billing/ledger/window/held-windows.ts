import { windowRoutes } from '@tollgate/contract'
import * as z from 'zod'

import type { Queries } from '../../../platform/store/database'

const HeldWindows = z.array(
  z.object({
    period: z.int(),
    measure: z.enum(windowRoutes.windowMeasures),
    amount: z.int(),
    /** Set where it is of the channel that does the work, or of its key: what the vendor charges is drawn from it. */
    isOfChannel: z.literal(true).optional(),
  }),
)

/** What a hold took from periods of windows, by rising period. */
export type HeldWindows = z.output<typeof HeldWindows>

export const readHeldWindows = (text: string): HeldWindows => (text === '' ? [] : HeldWindows.parse(JSON.parse(text)))

export const writeHeldWindows = (held: HeldWindows): string =>
  held.length === 0 ? '' : JSON.stringify(held.toSorted((one, other) => one.period - other.period))

/** Resolves with what holds took from each period of a window. */
export async function sumHeldPeriods(query: Queries): Promise<ReadonlyMap<number, number>> {
  const holds = await query.selectFrom('holds').select('windows').where('windows', '<>', '').execute()
  const held = new Map<number, number>()
  for (const { windows } of holds)
    for (const { period, amount } of readHeldWindows(windows)) held.set(period, (held.get(period) ?? 0) + amount)
  return held
}
