import { Paper, Skeleton, Title } from '@mantine/core'

import { formatCompact, useFormat } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import classes from './dashboard.module.css'
import { Ranking } from './ranking'
import { rowsLink } from './rows-link'
import { useTopUsers, type DashboardView } from './use-dashboard'

/** Users by spending. */
export function TopUsers({ view }: { readonly view: DashboardView }) {
  const { t } = useTranslation('dashboard')
  const { money } = useFormat()
  const { data } = useTopUsers(view)
  const rows = rowsLink(view)
  const users = data?.series.filter(({ is_other: isRest }) => !isRest)
  const maxUsers = Math.max(1, users?.[0]?.quota ?? 0)
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
