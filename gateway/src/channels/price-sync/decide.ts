import { priceClasses, type PriceClass, type PriceEntry } from '@tollgate/models'
import { priceSyncRoutes } from '@tollgate/contract'
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'

import { lockPrices } from '../../billing/pricing/price-store'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import { applyChanges, type ProposalRow } from './keep-findings'
import { PresentPrices } from './present-prices'
import { billingOf, effectivePrice, tierPrice, type FieldValue } from './price-diff'
import { nowOf } from './sync-times'
import { parsedJson } from '../../platform/text/parsed-json'
import { containing } from '../../platform/store/like'
import type { Tables } from '../../platform/store/tables'

type Deps = Pick<Context, 'catalog' | 'database' | 'changes' | 'clock'>

/** A decision, and the proposals it applies to. */
export interface Decision {
  readonly decision: 'approve' | 'reject'
  /** These; undefined: all that wait and match the filter. */
  readonly ids?: readonly number[] | undefined
  readonly filter?: ProposalFilter | undefined
  readonly username: string
}

/** A field before and after a decision. */
export interface Decided {
  readonly channelId: number
  readonly model: string
  readonly field: string
  readonly before: FieldValue | null
  readonly after: FieldValue | null
}

/**
 * Approves or rejects proposals. One whose price changed since it was found is removed instead: the next reading finds it anew. A rejected
 * one may be approved later.
 */
export async function decideProposals(
  deps: Deps,
  { decision, ids, filter, username }: Decision,
): Promise<{ decided: readonly Decided[]; outdated: number }> {
  const { database, changes, clock } = deps
  const result = await database.query.transaction().execute(async (transaction) => {
    await lockPrices(deps, transaction)
    const rows = await selectProposals(transaction, ids, filter)
    const open = rows.filter(({ state }) => state === 'waiting' || (state === 'rejected' && decision === 'approve'))
    const present = decision === 'approve' ? await PresentPrices.read(transaction, deps.catalog.current.prices) : null
    const [current, stale] = split(open, present)
    const decided = current.map(toDecided)
    if (present) await applyChanges(deps, decided, { source: 'sync', username }, present, transaction)
    const state = decision === 'approve' ? 'applied' : 'rejected'
    await eachSlice(current, (some) =>
      transaction
        .updateTable('price_proposals')
        .set({ state, decided_at: nowOf(clock), decided_by: username })
        .where('id', 'in', some)
        .execute(),
    )
    await eachSlice(stale, (some) => transaction.deleteFrom('price_proposals').where('id', 'in', some).execute())
    const missing = ids === undefined ? 0 : ids.length - rows.length
    return { decided, outdated: missing + rows.length - current.length }
  })
  await changes.deliver()
  return result
}

async function selectProposals(
  transaction: Transaction,
  ids: readonly number[] | undefined,
  filter: ProposalFilter = {},
) {
  if (ids === undefined)
    return transaction
      .selectFrom('price_proposals')
      .selectAll()
      .where(isMatching({ ...filter, state: 'waiting' }))
      .execute()
  const rows: ProposalRow[] = []
  for (let start = 0; start < ids.length; start += atOnce) {
    const some = ids.slice(start, start + atOnce)
    rows.push(...(await transaction.selectFrom('price_proposals').selectAll().where('id', 'in', some).execute()))
  }
  return rows
}

/** Returns those whose price is still what they were found against, and the others. */
function split(rows: readonly ProposalRow[], present: PresentPrices | null): [ProposalRow[], ProposalRow[]] {
  const isCurrent = ({ channel_id, model, field, before }: ProposalRow) =>
    present === null || JSON.stringify(presentValue(present.entryOf(channel_id, model), field)) === before
  return [rows.filter(isCurrent), rows.filter((row) => !isCurrent(row))]
}

const toDecided = ({ channel_id, model, field, before, after }: ProposalRow): Decided => ({
  channelId: channel_id,
  model,
  field,
  before: storedValue(before),
  after: storedValue(after),
})

const atOnce = 500

async function eachSlice(
  rows: readonly ProposalRow[],
  run: (ids: readonly number[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += atOnce)
    await run(rows.slice(start, start + atOnce).map(({ id }) => id))
}

const classes: ReadonlySet<string> = new Set(priceClasses)
const isClass = (name: string): name is PriceClass => classes.has(name)

/** Returns the value of a `priceDiff` field in an entry; null where there is none. */
export function presentValue(entry: PriceEntry | null, field: string): FieldValue | null {
  if (!entry) return null
  const [part = '', which = '', name = ''] = field.split(':')
  if (part === 'kind') return billingOf(entry)
  if (part === 'schedules') return entry.schedules?.length ? entry.schedules : null
  if (part === 'tier') return isClass(name) ? tierPrice(entry, Number(which), name) : null
  if (part !== 'mode') return isClass(part) ? effectivePrice(entry, part) : null
  const mode = entry.modes?.find((one) => one.name === which)
  if (!mode || name === '') return mode ?? null
  if (name === 'factor') return mode.factor ?? 1
  return isClass(name) ? (mode.prices?.[name] ?? effectivePrice(entry, name)) : null
}

/** Selects proposals. */
interface ProposalFilter {
  readonly state?: priceSyncRoutes.ProposalState | undefined
  /** Part of a model's name. */
  readonly keyword?: string | undefined
  /** `lists`, or `channel:` and its id. */
  readonly source?: string | undefined
}

/** The condition for proposals of a filter. */
export const isMatching =
  ({ state, keyword = '', source = '' }: ProposalFilter) =>
  (eb: ExpressionBuilder<Tables, 'price_proposals'>): ExpressionWrapper<Tables, 'price_proposals', SqlBool> =>
    eb.and([
      ...(state === undefined ? [] : [eb('state', '=', state)]),
      ...(keyword === '' ? [] : [containing(eb.ref('model'), keyword)]),
      ...(source === '' ? [] : [eb('source', '=', source)]),
    ])

/** Parses a value of a row; null for none, and for one that a later release wrote. */
export const storedValue = (text: string): priceSyncRoutes.ProposedValue | null =>
  priceSyncRoutes.ProposedValue.safeParse(parsedJson(text)).data ?? null
