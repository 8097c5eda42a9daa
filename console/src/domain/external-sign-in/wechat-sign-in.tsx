import { externalSignInRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { storedInvitation } from '../../lib/url/invitation'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { storedUser } from '../../lib/api/session'
import { WeChatDialog } from './wechat-dialog'

/** Signs in with a code of the public account. The page itself reacts to the new session. */
export function WeChatSignIn({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('external-sign-in')
  const { mutate, isPending, error } = useWrite(externalSignInRoutes.signInByWeChat, {
    onSuccess: (user) => {
      storedInvitation.clear()
      storedUser.set(user)
      notifySuccess(t('done'))
    },
    onError: () => {},
  })
  const send = (code: string) => {
    const aff = storedInvitation.get()
    mutate({ query: { code, ...(aff !== '' && { aff }) } })
  }
  return (
    <WeChatDialog
      title={t('wechat.title')}
      submitText={t('wechat.submit')}
      isBusy={isPending}
      fault={error?.message}
      onCode={send}
      onClose={onClose}
    />
  )
}
