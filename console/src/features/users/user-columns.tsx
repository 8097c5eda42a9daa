import { Text } from '@mantine/core'
import { userRoutes } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { useTranslation } from '../../lib/text/i18n'

import { LateFact } from '../../components/data-table/late-fact'
import type { Column } from '../../components/data-table/types'
import { LimitCell } from '../../domain/limits/limit-cell'
import type { useStandings } from '../../domain/limits/standings-data'
import { Money } from '../../domain/money'
import { Quiet } from '../../components/quiet'
import { TimeAgo } from '../../components/time-ago'
import { useFormat } from '../../lib/text/use-format'
import { UserRole, UserStatus } from './user-cells'
import classes from './users.module.css'

type User = userRoutes.UserEntity
type KnownUser = userRoutes.KnownUser
type Standings = ReturnType<typeof useStandings>
type Usages = ReadonlyMap<number, userRoutes.UserUsage>

/** Renders a cell only for users below the reader's rank: of others only the name is known. */
const whole = (cell: (user: User) => ReactNode) => (user: KnownUser) => (userRoutes.isWhole(user) ? cell(user) : null)

/** Columns of the list. */
export function useUserColumns(usages: Usages | undefined, standings: Standings): readonly Column<KnownUser>[] {
  const { t } = useTranslation('users')
  const { number } = useFormat()
  const context = { t, number, usages, standings }
  return [identityColumns, usageColumns, historyColumns].flatMap((columns) => columns(context))
}

interface ColumnContext {
  readonly t: ReturnType<typeof useTranslation<'users'>>['t']
  readonly number: ReturnType<typeof useFormat>['number']
  /** Undefined while loading. */
  readonly usages: Usages | undefined
  readonly standings: Standings
}

/** Who it is. */
const identityColumns = ({ t }: ColumnContext): readonly Column<KnownUser>[] => [
  {
    id: 'id',
    title: t('column.id'),
    isSortable: true,
    align: 'end',
    hiddenBelow: 'wide',
    card: 'hidden',
    cell: ({ id }) => <span className="figures">{id}</span>,
  },
  {
    id: 'name',
    title: t('column.name'),
    isSortable: true,
    isFixed: true,
    card: 'title',
    cell: ({ username, display_name: displayName }) => (
      <div className={classes.name}>
        <div className={classes.username} title={username}>
          {username}
        </div>
        {displayName !== username && displayName !== '' && (
          <Text size="xs" c="dimmed" truncate title={displayName}>
            {displayName}
          </Text>
        )}
      </div>
    ),
  },
  {
    id: 'status',
    title: t('column.status'),
    card: 'trailing',
    cell: whole((user) => <UserStatus user={user} />),
  },
  {
    id: 'role',
    title: t('column.role'),
    stackBelow: 'status',
    ownColumnFrom: 'wide',
    card: 'plain',
    cell: whole((user) => (
      <div className={classes.role}>
        <UserRole user={user} />
      </div>
    )),
  },
  {
    id: 'group',
    title: t('column.group'),
    card: 'fact',
    cell: whole(({ group }) => <span className={classes.group}>{group}</span>),
  },
]

/** What is left, and what was used. */
const usageColumns = ({ t, number, usages, standings }: ColumnContext): readonly Column<KnownUser>[] => [
  {
    id: 'balance',
    title: t('column.balance'),
    isSortable: true,
    align: 'end',
    card: 'fact',
    cell: whole(({ quota }) => <Money quota={quota} c={quota < 0 ? 'red' : undefined} />),
  },
  {
    id: 'used',
    title: t('column.used'),
    isSortable: true,
    align: 'end',
    card: 'hidden',
    hiddenBelow: 'wide',
    cell: whole(({ used_quota: used }) => <Money quota={used} />),
  },
  {
    id: 'requests',
    title: t('column.requests'),
    isSortable: true,
    align: 'end',
    card: 'hidden',
    hiddenBelow: 'wide',
    cell: whole(({ request_count: count }) => <span className="figures">{number(count)}</span>),
  },
  {
    id: 'month',
    title: t('column.month'),
    // Its figures come after the rows.
    width: 200,
    isSortable: true,
    align: 'end',
    card: 'fact',
    hiddenBelow: 'middle',
    cell: whole(({ id }) => usages && <UserMonth usage={usages.get(id)} />),
    cardCell: whole(({ id }) => {
      const usage = usages?.get(id)
      return <LateFact>{usage ? <Money quota={usage.quota} /> : usages ? t('month.none') : '…'}</LateFact>
    }),
  },
  {
    id: 'limits',
    title: t('column.limits'),
    card: 'plain',
    stackBelow: 'balance',
    cell: whole(({ id }) => <LimitCell standings={standings?.get(id)} />),
  },
]

/** Where the account comes from, and when it was seen. */
const historyColumns = ({ t, number, usages }: ColumnContext): readonly Column<KnownUser>[] => [
  {
    id: 'invited',
    title: t('column.invited'),
    isSortable: true,
    align: 'end',
    isHiddenAtFirst: true,
    cell: whole(({ aff_count: count, aff_history_quota: earned }) => (
      <span className="figures">
        {number(count)}
        {' · '}
        <Money quota={earned} />
      </span>
    )),
  },
  {
    id: 'inviter',
    title: t('column.inviter'),
    align: 'end',
    isHiddenAtFirst: true,
    cell: whole(({ inviter_id: id }) => id || null),
  },
  { id: 'email', title: t('column.email'), isHiddenAtFirst: true, cell: whole(({ email }) => email) },
  {
    id: 'secondFactor',
    title: t('column.secondFactor'),
    isHiddenAtFirst: true,
    cell: whole(({ has_second_factor: isSet }) => t(isSet ? 'secondFactor.set' : 'secondFactor.none')),
  },
  {
    id: 'seen',
    title: t('column.seen'),
    width: 110,
    isSortable: true,
    card: 'hidden',
    hiddenBelow: 'wide',
    cell: whole(({ id }) => usages && <LastSeen usage={usages.get(id)} />),
  },
  {
    id: 'created',
    title: t('column.created'),
    isSortable: true,
    isHiddenAtFirst: true,
    card: 'hidden',
    cell: whole(({ created_at: at }) => <TimeAgo at={at} />),
  },
]

function LastSeen({ usage }: { readonly usage: userRoutes.UserUsage | undefined }) {
  const { t } = useTranslation('users')
  if (!usage) return null
  return usage.seen_at > 0 ? <TimeAgo at={usage.seen_at} /> : <Quiet>{t('neverSeen')}</Quiet>
}

/** Spending of a user in thirty days, with calls and tokens. */
function UserMonth({ usage }: { readonly usage: userRoutes.UserUsage | undefined }) {
  const { t } = useTranslation('users')
  const { number } = useFormat()
  if (!usage || usage.calls === 0) return <Quiet>{t('month.none')}</Quiet>
  return (
    <>
      <Money quota={usage.quota} />
      <Text size="xs" c="dimmed" className="figures">
        {t('month.calls', { count: usage.calls, tokens: number(usage.tokens) })}
      </Text>
    </>
  )
}
