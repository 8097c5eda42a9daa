import { externalSignInRoutes, accountRoutes } from '@tollgate/contract'

import { WeChatDialog } from '../../../domain/external-sign-in/wechat-dialog'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'

/** Links a WeChat account by a code of the public account. */
export function WeChatBinding({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('account')
  const { mutate, isPending, error } = useWrite(externalSignInRoutes.bindWeChat, {
    changes: [accountRoutes.getSelf],
    onSuccess: () => {
      notifySuccess(t('external.done'))
      onClose()
    },
    onError: () => {},
  })
  return (
    <WeChatDialog
      title={t('external.wechatTitle')}
      submitText={t('external.link')}
      isBusy={isPending}
      fault={error?.message}
      onCode={(code) => mutate({ body: { code } })}
      onClose={onClose}
    />
  )
}
