import { Button } from '@mantine/core'
import type { userRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../../lib/i18n'

import { useViewer } from '../../lib/session'
import type { BulkKind } from './use-bulk'
import { pageRights } from './user-rights'

const BulkDrawer = lazy(async () => ({ default: (await import('./bulk-drawer')).BulkDrawer }))

interface BulkActionsProps {
  readonly users: readonly userRoutes.KnownUser[]
  readonly onDone: () => void
}

/** Actions for the selected users. */
export function BulkActions({ users, onDone }: BulkActionsProps) {
  const { t } = useTranslation('users')
  const { mayMove, mayCredit } = pageRights(useViewer())
  const [kind, setKind] = useState<BulkKind | undefined>()
  return (
    <>
      {mayMove && (
        <Button variant="default" onClick={() => setKind('group')}>
          {t('bulk.group')}
        </Button>
      )}
      {mayCredit && (
        <Button variant="default" onClick={() => setKind('credit')}>
          {t('bulk.credit')}
        </Button>
      )}
      {kind && (
        <Suspense>
          <BulkDrawer kind={kind} users={users} onDone={onDone} onClose={() => setKind(undefined)} />
        </Suspense>
      )}
    </>
  )
}
