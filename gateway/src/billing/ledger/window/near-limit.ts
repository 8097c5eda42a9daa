import { windowRoutes } from '@tollgate/contract'
import { expressionBuilder, sql, type SqlBool } from 'kysely'

import type { Tables } from '../../../platform/store/tables'
import { leasedOfPeriod } from './standings'

/** Selects the present periods of which at least `nearLimitPercent` of the limit is used, with their windows. */
const nearPeriods = (owner: windowRoutes.WindowOwner, now: number) =>
  expressionBuilder<Tables>()
    .selectFrom('window_periods')
    .innerJoin('windows', 'windows.id', 'window_periods.window_id')
    .where('windows.owner', '=', owner)
    .where('window_periods.starts_at', '<=', now)
    .where('window_periods.ends_at', '>', now)
    .where(
      sql<SqlBool>`(capacity - free - ${leasedOfPeriod}) * 100 >= limit_amount * ${sql.lit(windowRoutes.nearLimitPercent)}`,
    )

/** Selects the ids of the keys that are near a limit of their own. */
export const keysNearLimit = (now: number) => nearPeriods('token', now).select('window_periods.subject_id')

/** Selects the ids of the users who are near a limit: one of their own, or without any one of their group. */
export const usersNearLimit = (now: number) =>
  nearPeriods('user', now)
    .select('window_periods.subject_id')
    .union(
      nearPeriods('group', now)
        .innerJoin('users as member', 'member.id', 'window_periods.subject_id')
        .whereRef('member.group', '=', 'windows.ref')
        .where((inner) =>
          inner.not(
            inner.exists(
              inner
                .selectFrom('windows as own')
                .select('own.id')
                .where('own.owner', '=', 'user')
                .where(sql<SqlBool>`own.ref = cast(window_periods.subject_id as text)`),
            ),
          ),
        )
        .select('window_periods.subject_id'),
    )
