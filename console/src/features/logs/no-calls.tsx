import { Button, Group } from '@mantine/core'
import { tokenRoutes } from '@tollgate/contract'
import { Link } from '@tanstack/react-router'

import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import type { LogSearch, QuickRange } from './log-search'

interface NoCallsProps {
  readonly search: LogSearch
  readonly onRange: (range: QuickRange) => void
}

/** Suggests what leads to rows: a longer range; a first token for readers without one; otherwise a call. */
export function NoCalls({ search, onRange }: NoCallsProps) {
  const { t } = useTranslation('logs')
  const { data } = useRead(tokenRoutes.listTokens, { query: { p: 0, size: 10 } })
  const hasNoToken = data?.total === 0
  return (
    <Group gap={8} justify="center">
      {search.range !== 'month' && (
        <Button variant="default" onClick={() => onRange('month')}>
          {t('empty.longer')}
        </Button>
      )}
      {hasNoToken ? (
        <Button renderRoot={(props) => <Link to="/app/tokens" search={{ edit: 'new' }} {...props} />}>
          {t('empty.token')}
        </Button>
      ) : (
        <Button renderRoot={(props) => <Link to="/playground" {...props} />}>{t('empty.action')}</Button>
      )}
    </Group>
  )
}
