import { ActionIcon, Group } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconBan,
  IconCircleCheck,
  IconDots,
  IconEdit,
  IconGauge,
  IconKey,
  IconListDetails,
  IconShieldOff,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { userRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { MenuButton, type MenuItem } from '../../components/menu-button'
import { Tip } from '../../components/tip'
import { useViewer } from '../../lib/api/session'
import { isStuck, pageRights, rightsOver, type RoleAction } from './user-rights'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { userReads } from './user-data'
import type { Question } from '../../components/dialogs/confirm-dialog'

interface UserActionsProps {
  readonly user: userRoutes.KnownUser
  readonly onEdit: () => void
  readonly onLimits: () => void
}

const icons = {
  promote: IconArrowUp,
  demote: IconArrowDown,
  enable: IconCircleCheck,
  disable: IconBan,
  delete: IconTrash,
} as const satisfies Record<RoleAction, unknown>

/** Actions for one user; none for a deleted account. */
export function UserActions({ user, ...handlers }: UserActionsProps) {
  return userRoutes.isWhole(user) && user.DeletedAt === null ? <OpenAccount user={user} {...handlers} /> : null
}

function OpenAccount({ user, onEdit, onLimits }: UserActionsProps & { readonly user: userRoutes.UserEntity }) {
  const { t } = useTranslation('users')
  const viewer = useViewer()
  const { mayEdit, mayRemoveFactors, actions } = rightsOver(viewer, user)
  const { mayReadLogs } = pageRights(viewer)
  const manage = useManageUser()
  const factors = useRemoveFactors(user)
  const navigate = useNavigate()
  const itemOf = (action: RoleAction): MenuItem => ({
    id: action,
    label: t(`action.${action}`),
    icon: icons[action],
    isDangerous: action === 'delete',
    isDisabled: action === 'enable' && isStuck(user),
    startsGroup: action === 'delete' || action === [...actions][0],
    confirmation:
      // Lifting a ban is not destructive.
      action !== 'enable'
        ? {
            title: t(`ask.${action}.title`, { name: user.username }),
            question: t(`ask.${action}.question`),
            confirmText: t(`action.${action}`),
            typed: action === 'delete' ? user.username : undefined,
          }
        : undefined,
    onClick: () => manage(user, action),
  })
  const tokens: MenuItem = {
    id: 'tokens',
    label: t('action.tokens'),
    icon: IconKey,
    onClick: () => void navigate({ to: '/admin/tokens', search: { username: user.username } }),
  }
  const log: MenuItem = {
    id: 'log',
    label: t('action.log'),
    icon: IconListDetails,
    onClick: () => void navigate({ to: '/app/logs/api-usage', search: { username: user.username, range: 'month' } }),
  }
  const removeFactors: MenuItem = {
    id: 'removeFactors',
    label: t('action.removeFactors'),
    icon: IconShieldOff,
    confirmation: factors.question,
    onClick: factors.remove,
  }
  const limits: MenuItem = { id: 'limits', label: t('action.limits'), icon: IconGauge, onClick: onLimits }
  const items = [
    tokens,
    limits,
    ...(mayReadLogs ? [log] : []),
    ...[...actions].filter((action) => action !== 'delete').map(itemOf),
    ...(mayRemoveFactors ? [removeFactors] : []),
    ...(actions.has('delete') ? [itemOf('delete')] : []),
  ]
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      {mayEdit && (
        <Tip label={t('action.edit')}>
          <ActionIcon aria-label={t('action.edit')} onClick={onEdit}>
            <IconEdit size={16} />
          </ActionIcon>
        </Tip>
      )}
      {items.length > 0 && (
        <MenuButton label={t('action.more', { name: user.username })} icon={IconDots} items={items} />
      )}
    </Group>
  )
}

type User = userRoutes.UserEntity

/** Returns a function that applies an action to a user; the rows show the status and role in the response. */
export function useManageUser(): (user: User, action: RoleAction) => void {
  const { t } = useTranslation('users')
  const write = useWrite(userRoutes.manageUser, { changes: userReads })
  return (user, action) =>
    write.mutate(
      { body: { id: user.id, action } },
      { onSuccess: () => notifySuccess(t(`done.${action}`, { name: user.username })) },
    )
}

/** Removes the second factors of a user who lost them, after a confirmation. */
export function useRemoveFactors({ id, username }: userRoutes.UserEntity) {
  const { t } = useTranslation('users')
  const write = useWrite(userRoutes.removeFactors, {
    changes: userReads,
    onSuccess: () => notifySuccess(t('done.removeFactors', { name: username })),
  })
  const question: Question = {
    title: t('ask.removeFactors.title', { name: username }),
    question: t('ask.removeFactors.question'),
    confirmText: t('action.removeFactors'),
    reasonHint: t('field.reasonHint'),
  }
  return { question, remove: (reason = '') => write.mutate({ params: { id }, body: { reason } }) }
}
