import type { OptionValues } from '@tollgate/contract'
import { sql } from 'kysely'

import { topUpPrefix } from '../../../operations/import-note'
import type { SiteSource, SourceTopUp } from '../site-source'
import { slicesOf, type ImportTarget } from './import-target'

type Site = Pick<OptionValues, 'QuotaPerUnit'>

const maxNumberLength = 255

/**
 * Imports paid top-ups as credits of their days, which statements and files of movements show by the number of the order. What they brought is
 * part of what the user had and used, so the credit of the opening is less by as much.
 */
export async function writeTopUps(source: SiteSource, site: Site, target: ImportTarget): Promise<void> {
  const { transaction, at, report } = target
  for await (const topUps of source.topUps()) {
    const users = await transaction
      .selectFrom('users')
      .select(['id', 'created_at'])
      .where(
        'id',
        'in',
        topUps.map(({ userId }) => userId),
      )
      .execute()
    const createdAt = new Map(users.map(({ id, created_at: time }) => [id, time]))
    const credits = topUps
      .filter(({ userId }) => createdAt.has(userId))
      .map((topUp) => ({
        id: `${topUpPrefix}${topUp.id}`,
        user_id: topUp.userId,
        kind: 'import',
        amount: quotaOf(topUp, site),
        created_at: Math.min(topUp.paidAt, at - 1),
        detail: topUp.number.slice(0, maxNumberLength),
      }))
    for (const some of slicesOf(credits)) await transaction.insertInto('credits').values(some).execute()
    const openings = [...Map.groupBy(credits, ({ user_id: id }) => id)].map(([id, ofUser]) => ({
      id: `import:${id}`,
      user_id: id,
      kind: 'import',
      amount: -ofUser.reduce((sum, { amount }) => sum + amount, 0),
      created_at: createdAt.get(id) ?? 0,
      detail: source.product,
    }))
    for (const some of slicesOf(openings))
      await transaction
        .insertInto('credits')
        .values(some)
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ amount: sql`credits.amount + excluded.amount` }))
        .execute()
    if (credits.length > 0) report.count('paid top-ups', credits.length)
    for (const { id, userId } of topUps)
      if (!createdAt.has(userId)) report.note('top-ups of users who are gone, left out', `#${id} of user #${userId}`)
  }
}

const quotaOf = ({ credited }: SourceTopUp, { QuotaPerUnit }: Site): number =>
  'quota' in credited ? credited.quota : Math.round(credited.dollars * QuotaPerUnit)
