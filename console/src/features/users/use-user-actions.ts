import { userRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { userReads } from './user-data'
import type { RoleAction } from './user-rights'
import type { Question } from '../../components/dialogs/confirm-dialog'

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
