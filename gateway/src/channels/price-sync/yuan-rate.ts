import { optionText } from '@tollgate/contract'
import { z } from 'zod'

import { keepOptionChange, lastChangeOf, storeOption } from '../catalog/option-changes'
import type { Context } from '../../context'
import type { Queries } from '../../platform/store/database'
import { readList, SourceError } from './read-source'
import { nowOf } from './sync-times'

/** The name of the source of the rate. */
export const yuanRateSource = 'yuan-rate'
const option = 'ListPriceYuanRate'
/** The day of the shipped rate. */
const shippedOn = '2026-11-28'
/** A rate that moved by more since it was read last is taken for an error. */
const maxChange = 0.1

/** How public services publish a rate, as https://frankfurter.dev does. */
const Rates = z.object({ base: z.literal('USD'), rates: z.object({ CNY: z.number().positive() }) })

type Deps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database' | 'outbound'>

/** Reads the rate of the yuan and puts it in force. @throws SourceError */
export async function syncYuanRate(deps: Deps, url: string): Promise<void> {
  const read = Rates.safeParse(await readList(deps, url))
  const before = deps.catalog.current.options[option]
  if (!read.success) throw new SourceError('malformed')
  const rate = read.data.rates.CNY
  if (Math.abs(rate / before - 1) > maxChange) throw new SourceError('implausible')
  if (rate !== before) await setRate(deps, before, rate)
}

async function setRate({ changes, clock, database }: Deps, before: number, rate: number): Promise<void> {
  const value = optionText(option, rate)
  await database.query.transaction().execute(async (transaction) => {
    await changes.announce({ topic: 'catalog', refId: 0 }, transaction)
    await storeOption(option, value, transaction)
    const change = { key: option, before: optionText(option, before), after: value } as const
    await keepOptionChange(
      { ...change, created_at: nowOf(clock), request_id: '', user_id: 0, username: '' },
      transaction,
    )
  })
  await changes.deliver()
}

/** Resolves with the day of the rate, as `2026-11-28`: when it was set, or last read from its source. */
export async function yuanRateDay(query: Queries): Promise<string> {
  const source = await query
    .selectFrom('price_sources')
    .select('last_success_at')
    .where('name', '=', yuanRateSource)
    .executeTakeFirst()
  const at = Math.max((await lastChangeOf(option, query)) ?? 0, source?.last_success_at ?? 0)
  return at === 0 ? shippedOn : new Date(at * 1000).toISOString().slice(0, 10)
}
