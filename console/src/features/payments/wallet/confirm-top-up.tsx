import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog'
import { Facts } from '../../../components/facts'
import { useTranslation } from '../../../lib/text/i18n'

interface ConfirmTopUpProps {
  /** As displayed. */
  readonly credited: string
  /** Absent: none. */
  readonly bonus: string | undefined
  readonly payable: string
  readonly method: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Confirms the payment and the credit before redirecting to the payment page. */
export function ConfirmTopUp({ credited, bonus, payable, method, onConfirm, onClose }: ConfirmTopUpProps) {
  const { t } = useTranslation('wallet')
  return (
    <ConfirmDialog
      title={t('topUp.confirm.title')}
      question={
        <Facts
          facts={[
            [t('topUp.confirm.credited'), credited],
            [t('topUp.confirm.bonus'), bonus],
            [t('topUp.confirm.payable'), payable],
            [t('topUp.confirm.method'), method],
          ]}
        />
      }
      confirmText={t('topUp.confirm.action')}
      onConfirm={onConfirm}
      onClose={onClose}
      isHarmless
    />
  )
}
