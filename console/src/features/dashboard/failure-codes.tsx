import { Paper, Title } from '@mantine/core'
import type { dashboardRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/format'
import classes from './dashboard.module.css'
import { Ranking } from './ranking'
import { rowsLink } from './rows-link'
import type { DashboardView } from './use-dashboard'

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
