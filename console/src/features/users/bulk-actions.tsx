import { Button } from '@mantine/core'
import type { userRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../../lib/i18n'

import type { BulkKind } from './use-bulk'

const BulkDrawer = lazy(async () => ({ default: (await import('./bulk-drawer')).BulkDrawer }))

interface BulkActionsProps {
  readonly users: readonly userRoutes.KnownUser[]
  readonly onDone: () => void
}

/** What can be done with all selected users. */
export function BulkActions({ users, onDone }: BulkActionsProps) {
  const { t } = useTranslation('users')
  const [kind, setKind] = useState<BulkKind | undefined>()
  return (
    <>
      <Button variant="default" onClick={() => setKind('group')}>
        {t('bulk.group')}
      </Button>
      <Button variant="default" onClick={() => setKind('credit')}>
        {t('bulk.credit')}
      </Button>
      {kind && (
        <Suspense>
          <BulkDrawer kind={kind} users={users} onDone={onDone} onClose={() => setKind(undefined)} />
        </Suspense>
      )}
    </>
  )
}
