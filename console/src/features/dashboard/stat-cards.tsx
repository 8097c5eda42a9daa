import { SimpleGrid } from '@mantine/core'
import type { dashboardRoutes } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { formatCompact } from '../../lib/format'
import { useFormat } from '../../lib/use-format'
import { daysLeft, errorShare } from './figures'
import { StatCard } from './stat-card'
import { useBalance, useRates, type DashboardView } from './use-dashboard'

interface StatCardsProps {
  readonly view: DashboardView
  readonly data: dashboardRoutes.DashboardData | undefined
}

/** The figures one looks at first. */
export function StatCards({ view, data }: StatCardsProps) {
  const { t } = useTranslation('dashboard')
  const { money, number, share } = useFormat()
  const balance = useBalance().data
  const rates = useRates(view).data
  const totals = data?.totals
  const previous = data?.previous
  const left = balance && totals && !view.isEverybody ? daysLeft(balance.quota, totals.quota, view.days) : undefined
  const search = { from: view.range.start, to: view.range.end, username: view.username }
  const logs = { to: '/app/logs/api-usage', search } as const
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, lg: 6 }} spacing="sm">
      <StatCard
        name={t('card.balance')}
        value={balance && money(balance.quota)}
        note={left === undefined ? undefined : t('card.daysLeft', { count: left })}
        link={{ to: '/app/tokens' }}
      />
      <StatCard
        name={t('card.spend')}
        value={totals && money(totals.quota)}
        line={data?.totals_by_time.quota}
        note={previous?.quota ? t('card.before') : undefined}
        change={totals && previous && { now: totals.quota, before: previous.quota }}
        link={logs}
      />
      <StatCard
        name={t('card.requests')}
        value={totals && number(totals.count)}
        line={data?.totals_by_time.count}
        note={previous?.count ? t('card.before') : undefined}
        change={totals && previous && { now: totals.count, before: previous.count }}
        link={logs}
      />
      <StatCard
        name={t('card.tokens')}
        value={totals && formatCompact(totals.prompt_tokens + totals.completion_tokens)}
        line={data?.totals_by_time.tokens}
        note={
          totals &&
          t('card.tokenParts', {
            prompt: formatCompact(totals.prompt_tokens),
            completion: formatCompact(totals.completion_tokens),
          })
        }
        link={logs}
      />
      <StatCard
        name={t('card.rates')}
        value={rates && `${number(rates.rpm)} / ${formatCompact(rates.tpm)}`}
        note={t('card.ratesNote')}
        link={logs}
      />
      <StatCard
        name={t('card.errors')}
        value={totals && share(errorShare(totals))}
        line={data?.totals_by_time.errors}
        note={totals && t('card.errorsNote', { count: totals.errors, errors: number(totals.errors) })}
        link={{ ...logs, search: { ...search, type: 6 } }}
      />
    </SimpleGrid>
  )
}
