import { z } from 'zod'

import { parsedJson } from '../../platform/text/parsed-json'
import { moneyText } from './currency'

/** An amount as a provider reports it: Epay in yuan as a text, Stripe in the smallest unit of a currency. */
const Reported = z.union([
  z.object({ money: z.string() }).transform(({ money }) => ({ money, currency: 'CNY' })),
  z
    .object({ amount: z.int().optional(), amount_total: z.int().optional(), currency: z.string() })
    .transform(({ amount, amount_total: total = amount, currency: code }, context) => {
      const currency = code.toUpperCase()
      if (total !== undefined) return { money: moneyText(total, currency), currency }
      context.addIssue('no amount')
      return z.NEVER
    }),
])

/** Returns the amount in a provider's report as it was kept; null where it names none, or was too long to be kept whole. */
export const reportedMoney = (payload: string): z.output<typeof Reported> | null =>
  Reported.safeParse(parsedJson(payload)).data ?? null
