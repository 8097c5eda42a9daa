import {
  isOptionKey,
  isOptionReader,
  isSecretOption,
  optionText,
  pageOf,
  type OptionKey,
  type optionRoutes,
  type RouteInput,
} from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { keepOptionChange } from '../../channels/catalog/option-changes'
import type { Context } from '../../context'
import type { Caller, SiteChange } from '../../http/handler'
import type { Transaction } from '../../platform/store/database'
import type { OptionChange } from './option-change'
import type { Proposal } from './option-rules'

/** Records options before and after, in the transaction that changes them. Unchanged ones leave no row. */
export async function recordHistory(
  changes: readonly OptionChange[],
  proposal: Proposal,
  { ctx, caller, requestId }: SiteChange,
  transaction: Transaction,
): Promise<void> {
  const by = {
    created_at: ctx.clock.seconds(),
    request_id: requestId,
    user_id: caller.userId,
    username: caller.username,
  }
  for (const key of new Set(changes.map((change) => change.key))) {
    const [before, after] = [textBefore(key, proposal), textAfter(key, proposal)]
    // A secret that is set again may be another one.
    if (before === after && !(isSecretOption(key) && after !== '')) continue
    await keepOptionChange({ ...by, key, before, after }, transaction)
  }
}

const textBefore = (key: OptionKey, { before, secretsBefore }: Proposal): string =>
  isSecretOption(key) ? secretMark(secretsBefore, key) : optionText(key, before[key])

const textAfter = (key: OptionKey, { after, secretsAfter }: Proposal): string =>
  isSecretOption(key) ? secretMark(secretsAfter, key) : optionText(key, after[key])

const secretMark = (set: ReadonlySet<OptionKey>, key: OptionKey): string => (set.has(key) ? 'set' : '')

/** Resolves with a page of the changes of an option, newest first. @throws AppError `option.unknown`, `auth.forbidden`. */
export async function optionHistory(
  query: RouteInput<typeof optionRoutes.optionHistory>['query'],
  { database }: Context,
  { grants }: Pick<Caller, 'grants'>,
) {
  const { key } = query
  if (!isOptionKey(key)) throw new AppError('option.unknown', { params: { key } })
  if (!isOptionReader(grants, key)) throw new AppError('auth.forbidden')
  const { page, size, offset } = pageOf(query)
  const changes = database.query.selectFrom('option_changes').where('key', '=', key)
  const [items, { total }] = await Promise.all([
    changes
      .select(['id', 'created_at', 'request_id', 'user_id', 'username', 'before', 'after'])
      .orderBy('id', 'desc')
      .limit(size)
      .offset(offset)
      .execute(),
    changes.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow(),
  ])
  return { items, page, page_size: size, total: Number(total) }
}
