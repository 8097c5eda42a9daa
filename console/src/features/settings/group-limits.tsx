import { Button, Paper, Skeleton, Text, Title } from '@mantine/core'
import { windowRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { ErrorState } from '../../components/page/state-message'
import { PlainTable } from '../../components/plain-table'
import { useLimitText } from '../../domain/limits/use-limit-text'
import { useRead } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { useTranslation } from '../../lib/text/i18n'
import classes from './settings.module.css'

const LimitsDrawer = lazy(async () => ({
  default: (await import('../../domain/limits/limits-drawer')).LimitsDrawer,
}))

/** The limits of each group; for readers who may see those of users. */
export function GroupLimits() {
  const { may } = useViewer()
  return may('users.read') ? <LimitsByGroup mayWrite={may('users.write')} /> : null
}

function LimitsByGroup({ mayWrite }: { readonly mayWrite: boolean }) {
  const { t } = useTranslation('limits')
  const text = useLimitText()
  const { data, error, refetch } = useRead(windowRoutes.listGroupWindows)
  const [edited, setEdited] = useState<string>()
  return (
    <Paper className={classes.extra}>
      <div>
        <Title order={3} fz="sm">
          {t('heading')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('groups.hint')}
        </Text>
      </div>
      {error && <ErrorState error={error} onRetry={() => void refetch()} isSmall />}
      {!data && !error && <Skeleton h={120} />}
      {data && (
        <PlainTable
          label={t('heading')}
          columns={[t('groups.column'), t('groups.limits')]}
          actionTitle={t('common:table.actions')}
          minWidth={320}
          rows={data.map(({ group, windows }) => ({
            key: group,
            cells: [group, windows.length === 0 ? t('none') : windows.map(text.summary).join(' · ')],
            action: (
              <Button
                variant="default"
                aria-label={`${t(mayWrite ? 'edit' : 'view')}: ${group}`}
                onClick={() => setEdited(group)}
              >
                {t(mayWrite ? 'edit' : 'view')}
              </Button>
            ),
          }))}
        />
      )}
      {edited !== undefined && (
        <Suspense>
          <LimitsDrawer
            owner={{ owner: 'group', ref: edited, name: edited }}
            isReadOnly={!mayWrite}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </Paper>
  )
}
