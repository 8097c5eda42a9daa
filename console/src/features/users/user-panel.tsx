import { Button, Skeleton, Stack } from '@mantine/core'
import { IconEdit, IconEye, IconListDetails } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ApiError, userRoutes } from '@tollgate/contract'
import { Suspense } from 'react'

import { ErrorState } from '../../components/page/state-message'
import { PeekPanel } from '../../components/peek/peek-panel'
import { LimitsSection } from '../../domain/limits/limits-section'
import { SubscriptionList } from '../../domain/plans/subscription-list'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer, viewAs } from '../../lib/api/session'
import { Account, Balance, Invitations } from './user-facts'
import { pageRights, rightsOver } from './user-rights'
import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { DangerZone } from '../../components/dialogs/danger-zone'
import { useManageUser, useRemoveFactors } from './user-actions'

type KnownUser = userRoutes.KnownUser

interface UserPanelProps {
  readonly user: KnownUser | undefined
  readonly error: ApiError | null
  readonly retry: () => void
  readonly onPrevious?: () => void
  readonly onNext?: () => void
  readonly onEdit: () => void
  readonly onClose: () => void
}

/** All details of a user, beside the list. */
export function UserPanel({ user, error, retry, onPrevious, onNext, onEdit, onClose }: UserPanelProps) {
  const { t } = useTranslation('users')
  const mayReadOrders = useViewer().may('orders.read')
  return (
    <PeekPanel
      title={user?.username ?? t('panel.title')}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      footer={user && <PanelActions user={user} onEdit={onEdit} />}
    >
      {error && <ErrorState error={error} onRetry={retry} isSmall />}
      {!user && !error && <Skeleton h={280} />}
      {user && (
        <Stack gap="lg">
          <Account user={user} />
          {userRoutes.isWhole(user) && (
            <>
              <Balance user={user} />
              <Suspense>
                <UserLimits user={user} />
              </Suspense>
              <Invitations user={user} />
              {mayReadOrders && (
                <Suspense>
                  <SubscriptionList key={user.id} of={{ user_id: user.id }} />
                </Suspense>
              )}
              <RemoveFactors user={user} />
              <Closing user={user} />
            </>
          )}
        </Stack>
      )}
    </PeekPanel>
  )
}

function PanelActions({ user, onEdit }: { readonly user: KnownUser; readonly onEdit: () => void }) {
  const { t } = useTranslation('users')
  const viewer = useViewer()
  const { mayEdit, mayView } = rightsOver(viewer, user)
  return (
    <>
      {mayEdit && (
        <Button variant="default" leftSection={<IconEdit size={15} />} onClick={onEdit}>
          {t('action.edit')}
        </Button>
      )}
      {pageRights(viewer).mayReadLogs && (
        <Button
          variant="default"
          leftSection={<IconListDetails size={15} />}
          renderRoot={(props) => (
            <Link to="/app/logs/api-usage" search={{ username: user.username, range: 'month' }} {...props} />
          )}
        >
          {t('action.log')}
        </Button>
      )}
      {mayView && userRoutes.isWhole(user) && (
        <Button variant="default" leftSection={<IconEye size={15} />} onClick={() => viewAs(user)}>
          {t('action.view')}
        </Button>
      )}
    </>
  )
}

type User = userRoutes.UserEntity

function UserLimits({ user }: { readonly user: User }) {
  const { t } = useTranslation('limits')
  const { mayWriteLimits } = rightsOver(useViewer(), user)
  return (
    <LimitsSection
      owner={{ owner: 'user', ref: String(user.id), name: user.username }}
      mayWrite={mayWriteLimits}
      noneText={t('noneGroup', { group: user.group })}
    />
  )
}

function RemoveFactors({ user }: { readonly user: User }) {
  const { t } = useTranslation('users')
  const { mayRemoveFactors } = rightsOver(useViewer(), user)
  const { question, remove } = useRemoveFactors(user)
  if (!mayRemoveFactors) return null
  return (
    <DangerZone title={t('column.secondFactor')} hint={question.question}>
      <ConfirmButton color="red" variant="light" {...question} onConfirm={remove}>
        {t('action.removeFactors')}
      </ConfirmButton>
    </DangerZone>
  )
}

function Closing({ user }: { readonly user: User }) {
  const { t } = useTranslation('users')
  const { actions } = rightsOver(useViewer(), user)
  const manage = useManageUser()
  if (!actions.has('delete')) return null
  return (
    <DangerZone title={t('action.delete')} hint={t('ask.delete.question')}>
      <ConfirmButton
        color="red"
        variant="light"
        title={t('ask.delete.title', { name: user.username })}
        question={t('ask.delete.question')}
        confirmText={t('action.delete')}
        typed={user.username}
        onConfirm={() => manage(user, 'delete')}
      >
        {t('action.delete')}
      </ConfirmButton>
    </DangerZone>
  )
}
