import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { accountRoutes } from '@tollgate/contract'

import { ConfirmButton } from '../../../components/dialogs/confirm-button'
import { DangerZone } from '../../../components/dialogs/danger-zone'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'
import { storedUser } from '../../../lib/api/session'

/** Deletes the account for good after its name was typed; the server ends the session along with it. */
export function CloseAccount({ username }: { readonly username: string }) {
  const { t } = useTranslation('account')
  const navigate = useNavigate()
  const client = useQueryClient()
  const { mutate, isPending } = useWrite(accountRoutes.deleteSelf, {
    onSuccess: () => {
      storedUser.clear()
      client.clear()
      notifySuccess(t('close.done'))
      void navigate({ to: '/login' })
    },
  })
  return (
    <DangerZone title={t('close.title')} hint={t('close.hint')}>
      <ConfirmButton
        size="sm"
        color="red"
        title={t('close.question')}
        question={t('close.hint')}
        confirmText={t('close.action')}
        typed={username}
        loading={isPending}
        onConfirm={() => mutate({})}
      >
        {t('close.action')}
      </ConfirmButton>
    </DangerZone>
  )
}
