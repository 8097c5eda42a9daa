import { userRoutes } from '@tollgate/contract'

import type { Question } from '../../components/dialogs/confirm-dialog'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { userReads } from './use-users'

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
