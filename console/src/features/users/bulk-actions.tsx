import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { userRoutes, userStatus } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../../lib/text/i18n'

import { useViewer } from '../../lib/api/session'
import { useDownload } from '../../lib/api/use-download'
import type { BulkKind } from './use-bulk'
import { pageRights } from './user-rights'

const BulkDrawer = lazy(async () => ({ default: (await import('./bulk-drawer')).BulkDrawer }))

interface BulkActionsProps {
  readonly users: readonly userRoutes.KnownUser[]
  readonly onDone: () => void
}

const hasStatus = (user: userRoutes.KnownUser, isEnabled: boolean) =>
  userRoutes.isWhole(user) && user.DeletedAt === null && (user.status === userStatus.enabled) === isEnabled

/** Actions for the selected users. */
export function BulkActions({ users, onDone }: BulkActionsProps) {
  const { t } = useTranslation('users')
  const { mayMove, mayCredit, mayWriteMessages } = pageRights(useViewer())
  const [kind, setKind] = useState<BulkKind | undefined>()
  const navigate = useNavigate()
  const ids = users.map(({ id }) => id)
  const file = useDownload(userRoutes.exportUsers, { query: { ids: ids.join('\n') } }, 'users.csv')
  const kinds: readonly BulkKind[] = [
    ...(mayMove ? (['group'] as const) : []),
    ...(mayCredit ? (['credit'] as const) : []),
    ...(mayMove && users.some((user) => hasStatus(user, true)) ? (['ban'] as const) : []),
    ...(mayMove && users.some((user) => hasStatus(user, false)) ? (['enable'] as const) : []),
  ]
  return (
    <>
      {kinds.map((kind) => (
        <Button key={kind} variant="default" onClick={() => setKind(kind)}>
          {t(`bulk.${kind}`)}
        </Button>
      ))}
      {mayWriteMessages && (
        <Button
          variant="default"
          onClick={() => void navigate({ to: '/admin/messages', search: { edit: 'new', recipients: ids.join(',') } })}
        >
          {t('bulk.message')}
        </Button>
      )}
      <Button variant="default" loading={file.isBusy} onClick={file.start}>
        {t('bulk.export')}
      </Button>
      {kind && (
        <Suspense>
          <BulkDrawer kind={kind} users={users} onDone={onDone} onClose={() => setKind(undefined)} />
        </Suspense>
      )}
    </>
  )
}
