import type { userRoutes } from '@tollgate/contract'

import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { DangerZone } from '../../components/dialogs/danger-zone'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useManageUser, useRemoveFactors } from './use-user-actions'
import { rightsOver } from './user-rights'

type User = userRoutes.UserEntity

export function RemoveFactors({ user }: { readonly user: User }) {
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

export function Closing({ user }: { readonly user: User }) {
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
