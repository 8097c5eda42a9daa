import { rangeOf } from '../../console-api/check-in/check-in-range'
import { rootQuota } from '../../console-api/setup/set-up'
import type { Queries } from '../../platform/store/database'
import { readImport, topUpPrefix } from '../../operations/import-note'
import { withoutAuditRow, type Credit } from './audited-credits'
import type { Difference } from './difference'
import { OptionTimes } from './option-times'

/** The amounts for which a credit has a cause; null: its cause is checked elsewhere, or cannot be known any more. */
type Range = { readonly min: number; readonly max: number } | null
type RangeOf = (credits: readonly Credit[]) => Promise<readonly Range[]>

const zeroRange: Range = { min: 0, max: 0 }
const pageSize = 1000
/** Clocks of machines, and the time at which a change of an option reaches them, differ by less. */
const margin = 3600

/**
 * Finds credits without a cause, or of another amount than their cause allows. Codes, top-ups, invitations and what follows from them are
 * compared user by user elsewhere; here they only need an id of their kind. A page at a time.
 */
export async function creditDifferences(query: Queries, nowSeconds: number): Promise<Difference[]> {
  const rangesOf: Readonly<Record<string, RangeOf>> = {
    setup: await setupCredits(query),
    registration: await gifts(query),
    'check-in': await checkIns(query),
    admin: await adminCredits(query, nowSeconds),
    redemption: rangeOfPrefix('redemption:'),
    invitation: rangeOfPrefix('invitation'),
    'top-up': rangeOfPrefix('order:'),
    refund: rangeOfPrefix('order:'),
    bonus: rangeOfPrefix('bonus:'),
    commission: rangeOfPrefix('commission:'),
    expiry: rangeOfPrefix('expiry:'),
    plan: rangeOfPrefix('plan:'),
    'plan-use': rangeOfPrefix('plan-use:'),
    import: await importedCredits(query),
  }
  const differences: Difference[] = []
  for await (const credits of pagesOf(query)) {
    for (const [kind, ofKind] of Map.groupBy(credits, (credit) => credit.kind)) {
      const ranges = (await rangesOf[kind]?.(ofKind)) ?? ofKind.map(() => zeroRange)
      for (const [index, { id, user_id, amount: found }] of ofKind.entries()) {
        const range = ranges[index]
        if (!range) continue
        const expected = Math.min(Math.max(found, range.min), range.max)
        if (found !== expected) differences.push({ check: 'credit-cause', id: user_id, name: id, found, expected })
      }
    }
  }
  return differences
}

async function* pagesOf(query: Queries) {
  for (let last = ''; ;) {
    const page: Credit[] = await query
      .selectFrom('credits')
      .select(['id', 'user_id', 'kind', 'amount', 'created_at'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(pageSize)
      .execute()
    if (page.length > 0) yield page
    if (page.length < pageSize) return
    last = page.at(-1)?.id ?? ''
  }
}

const each =
  (rangeOf: (credit: Credit) => Range): RangeOf =>
  async (credits) =>
    credits.map(rangeOf)

const rangeOfPrefix = (prefix: string): RangeOf => each(({ id }) => (id.startsWith(prefix) ? null : zeroRange))

/** An import brings one balance for each account, and the top-ups that are part of it. */
async function importedCredits(query: Queries): Promise<RangeOf> {
  const wasImported = (await readImport(query)) !== null
  return each(({ id, user_id }) =>
    wasImported && (id === `import:${user_id}` || id.startsWith(topUpPrefix)) ? null : zeroRange,
  )
}

/** Set-up credits one account, once. */
async function setupCredits(query: Queries): Promise<RangeOf> {
  const setup = await query.selectFrom('setups').select('initialized_at').executeTakeFirst()
  if (!setup) return each(() => null)
  return each(({ id, user_id, created_at }) => {
    const isFirst = id === `setup:${user_id}` && created_at <= setup.initialized_at + margin
    return isFirst ? { min: rootQuota, max: rootQuota } : zeroRange
  })
}

/** What new users were given, as the option was when they registered. */
async function gifts(query: Queries): Promise<RangeOf> {
  const times = await OptionTimes.read(query, 'QuotaForNewUser')
  return each(({ id, user_id, created_at }) => {
    if (id !== `registration:${user_id}`) return zeroRange
    const values = times.around(created_at, margin)
    return values && { min: Math.min(...values), max: Math.max(...values) }
  })
}

async function checkIns(query: Queries): Promise<RangeOf> {
  const min = await OptionTimes.read(query, 'CheckInQuota')
  const max = await OptionTimes.read(query, 'CheckInMaxQuota')
  return each(({ id, user_id, created_at }) => {
    if (!id.startsWith(`check-in:${user_id}:`)) return zeroRange
    const [from, to] = [min.around(created_at, margin), max.around(created_at, margin)]
    return from && to && rangeOf({ CheckInQuota: Math.min(...from), CheckInMaxQuota: Math.max(...from, ...to) })
  })
}

async function adminCredits(query: Queries, nowSeconds: number): Promise<RangeOf> {
  const without = await withoutAuditRow(query, nowSeconds)
  return async (credits) => {
    const causeless = await without(credits)
    return credits.map(({ id }) => (causeless.has(id) ? zeroRange : null))
  }
}
