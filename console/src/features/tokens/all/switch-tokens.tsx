import { Button } from '@mantine/core'
import { tokenRoutes, tokenStatus } from '@tollgate/contract'

import { ConfirmButton } from '../../../components/dialogs/confirm-button'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'

interface SwitchTokensProps {
  readonly tokens: readonly tokenRoutes.AnyToken[]
  readonly onDone: () => void
}

/** Disables the selected tokens, or enables them again. */
export function SwitchTokens({ tokens, onDone }: SwitchTokensProps) {
  const { t } = useTranslation('tokens')
  const write = useWrite(tokenRoutes.switchTokens, { changes: [tokenRoutes.listAllTokens] })
  const set = (name: 'enable' | 'disable', status: 1 | 2) =>
    write.mutate(
      { body: { ids: tokens.map(({ id }) => id), status } },
      {
        onSuccess: (count) => {
          notifySuccess(t(`bulk.done.${name}`, { count }))
          onDone()
        },
      },
    )
  return (
    <>
      <Button variant="default" loading={write.isPending} onClick={() => set('enable', tokenStatus.enabled)}>
        {t('action.enable')}
      </Button>
      <ConfirmButton
        color="red"
        variant="light"
        loading={write.isPending}
        title={t('all.disableTitle', { count: tokens.length })}
        question={t('all.disableQuestion')}
        confirmText={t('action.disable')}
        onConfirm={() => set('disable', tokenStatus.disabled)}
      >
        {t('action.disable')}
      </ConfirmButton>
    </>
  )
}
