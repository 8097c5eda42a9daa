import { Button, Skeleton, Stack, Title } from '@mantine/core'
import { IconEdit, IconEye, IconListDetails } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { userRoutes, type ApiError } from '@tollgate/contract'
import { useTranslation } from '../../lib/i18n'

import { ConfirmButton } from '../../components/confirm-button'
import { DangerZone } from '../../components/danger-zone'
import { ErrorState } from '../../components/error-state'
import { Facts } from '../../components/facts'
import { Money } from '../../components/money'
import { PeekPanel } from '../../components/peek-panel'
import { formatTime } from '../../lib/format'
import { useViewer } from '../../lib/session'
import { useFormat } from '../../lib/use-format'
import { viewAs } from '../../lib/viewed-user'
import { identities } from './identities'
import { UserRole, UserStatus } from './user-badges'
import { useManageUser } from './use-manage-user'
import { useRemoveFactors } from './use-remove-factors'
import { pageRights, rightsOver } from './user-rights'
import { useUsage } from './use-users'

type User = userRoutes.UserEntity
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

/** All that there is to know of a user, beside the list. */
export function UserPanel({ user, error, retry, onPrevious, onNext, onEdit, onClose }: UserPanelProps) {
  const { t } = useTranslation('users')
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
      {user && !userRoutes.isWhole(user) && <NameAlone user={user} />}
      {user && userRoutes.isWhole(user) && (
        <Stack gap="lg">
          <Account user={user} />
          <Balance user={user} />
          <Invitations user={user} />
          <RemoveFactors user={user} />
          <Closing user={user} />
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

function Section({ title, facts }: { readonly title: string } & Parameters<typeof Facts>[0]) {
  return (
    <section>
      <Title order={3} fz="md" mb="xs">
        {title}
      </Title>
      <Facts facts={facts} />
    </section>
  )
}

/** Of users of the reader’s own rank and above. */
function NameAlone({ user }: { readonly user: KnownUser }) {
  const { t } = useTranslation('users')
  return (
    <Section
      title={t('panel.account')}
      facts={[
        [t('column.id'), String(user.id)],
        [t('field.displayName'), user.display_name],
      ]}
    />
  )
}

function Account({ user }: { readonly user: User }) {
  const { t } = useTranslation('users')
  return (
    <Section
      title={t('panel.account')}
      facts={[
        [t('column.id'), String(user.id)],
        [t('field.displayName'), user.display_name],
        [t('column.status'), <UserStatus key="status" user={user} />],
        [t('column.role'), <UserRole key="role" user={user} />],
        [t('column.group'), user.group],
        [t('column.email'), user.email],
        [t('column.secondFactor'), t(user.has_second_factor ? 'secondFactor.set' : 'secondFactor.none')],
        ...identities.map(({ field, name }) => [name, user[field]] as const),
        [t('column.created'), formatTime(user.created_at)],
      ]}
    />
  )
}

function Balance({ user }: { readonly user: User }) {
  const { t } = useTranslation('users')
  const { number } = useFormat()
  const usages = useUsage([user])
  const usage = usages?.get(user.id)
  return (
    <Section
      title={t('panel.balance')}
      facts={[
        [t('column.balance'), <Money key="balance" quota={user.quota} />],
        [t('column.used'), <Money key="used" quota={user.used_quota} />],
        [t('column.requests'), number(user.request_count)],
        [t('month.spent'), usages && <Money key="spent" quota={usage?.quota ?? 0} />],
        [t('month.requests'), usages && number(usage?.calls ?? 0)],
        [t('month.tokens'), usages && number(usage?.tokens ?? 0)],
      ]}
    />
  )
}

function Invitations({ user }: { readonly user: User }) {
  const { t } = useTranslation('users')
  const { number } = useFormat()
  return (
    <Section
      title={t('panel.invitations')}
      facts={[
        [t('panel.invited'), number(user.aff_count)],
        [t('panel.earned'), <Money key="earned" quota={user.aff_history_quota} />],
        [t('panel.untransferred'), <Money key="left" quota={user.aff_quota} />],
        [t('column.inviter'), user.inviter_id > 0 && String(user.inviter_id)],
      ]}
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
