import { windowRoutes } from '@tollgate/contract'
import * as z from 'zod'

/** What a hold took from windows, by rising period. */
const HeldWindows = z.array(
  z.object({
    period: z.int(),
    measure: z.enum(windowRoutes.windowMeasures),
    amount: z.int(),
    /** It is of the channel that does the work, or of its key: what the vendor charges is drawn from it. */
    isOfChannel: z.boolean().default(false),
  }),
)
export type HeldWindows = z.output<typeof HeldWindows>

export const readHeldWindows = (text: string): HeldWindows => (text === '' ? [] : HeldWindows.parse(JSON.parse(text)))

export const writeHeldWindows = (held: HeldWindows): string =>
  held.length === 0 ? '' : JSON.stringify(held.toSorted((one, other) => one.period - other.period))
