import { Paper, Skeleton, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { dashboardRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import classes from './dashboard.module.css'
import { rowsLink } from './rows-link'
import { useColumnMoney } from './column-money'
import { type DashboardView, useTopUsers } from './use-dashboard'
import { formatCompact } from '../../lib/text/format'

interface FailureCodesProps {
  readonly view: DashboardView
  readonly measures: dashboardRoutes.MeasuresOverview
}

const maxCodes = 8
/** Codes with a text; unknown ones of later releases are shown as they are. */
const named = [
  'upstream_unreachable',
  'upstream_timeout',
  'upstream_busy',
  'upstream_failed',
  'upstream_malformed',
  'route_busy',
  'route_no_channel',
  'caller_model',
  'model_unknown',
  'model_absent',
  'model_unpriced',
  'quota_user',
  'quota_token',
  'quota_window',
  'key_invalid',
  'key_expired',
  'key_disabled',
  'key_exhausted',
  'rate_user',
  'rate_token',
  'request_invalid',
] as const
/** The log's type of failed calls. */
const errorType = 6

/** Reasons of failed attempts, most frequent first. */
export function FailureCodes({ view, measures: { errors } }: FailureCodesProps) {
  const { t } = useTranslation('dashboard')
  const { number, share } = useFormat()
  const rows = rowsLink(view)
  const all = errors.reduce((sum, { count }) => sum + count, 0)
  const max = errors[0]?.count ?? 0
  const nameOf = (code: string) => {
    const key = named.find((known) => known === code.replace('.', '_'))
    return key ? t(`failures.code.${key}`) : code
  }
  return (
    <Paper p="md" className={classes.panel}>
      <Title order={2} size="h3" className={classes.panelTitle}>
        {t('failures.title')}
      </Title>
      {errors.length === 0 && <p className={classes.nothing}>{t('failures.nothing')}</p>}
      <Ranking
        tone="bad"
        ranks={errors.slice(0, maxCodes).map(({ code, count }) => ({
          key: code,
          name: nameOf(code),
          detail: nameOf(code) === code ? undefined : code,
          value: `${number(count)} · ${share(count / all)}`,
          part: count / max,
          link: rows({ type: errorType, error: code }),
        }))}
      />
    </Paper>
  )
}

/** Users by spending. */
export function TopUsers({ view }: { readonly view: DashboardView }) {
  const { t } = useTranslation('dashboard')
  const columnMoney = useColumnMoney()
  const { data } = useTopUsers(view)
  const rows = rowsLink(view)
  const users = data?.series.filter(({ is_other: isRest }) => !isRest)
  const maxUsers = Math.max(1, users?.[0]?.quota ?? 0)
  const money = columnMoney(users?.map(({ quota }) => quota) ?? [])
  return (
    <Paper p="md" className={classes.panel}>
      <Title order={2} size="h3" className={classes.panelTitle}>
        {t('users.title')}
      </Title>
      {!users && <Skeleton h={120} />}
      {users?.length === 0 && <p className={classes.nothing}>{t('chart.empty')}</p>}
      {users && (
        <Ranking
          ranks={users.map(({ id, name, quota, count }) => ({
            key: String(id),
            name,
            detail: t('users.calls', { count, calls: formatCompact(count) }),
            value: money(quota),
            part: quota / maxUsers,
            link: rows({ username: name }),
          }))}
        />
      )}
    </Paper>
  )
}

interface Rank {
  readonly key: string
  readonly name: ReactNode
  /** Small text below or after the name. */
  readonly detail?: string
  readonly value: ReactNode
  /** Share of the largest value, 0 to 1. */
  readonly part: number
  readonly link: Pick<LinkProps, 'to' | 'search'>
}

interface RankingProps {
  readonly ranks: readonly Rank[]
  readonly tone?: 'bad'
}

/** Names by descending value, each with a bar; each links to its rows. */
function Ranking({ ranks, tone }: RankingProps) {
  return (
    <ol className={classes.ranking} data-tone={tone}>
      {ranks.map(({ key, name, detail, value, part, link }) => (
        <li key={key}>
          <span className={classes.rankBar} style={{ width: `${part * 100}%` }} />
          <Link {...link}>{name}</Link>
          {detail && <span className={classes.rankDetail}>{detail}</span>}
          <span className={classes.rankValue}>{value}</span>
        </li>
      ))}
    </ol>
  )
}
