import { factorRoutes } from '@tollgate/contract'

import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { StatusBadge } from '../../components/status-badge'
import { useTranslation } from '../../lib/text/i18n'
import { useWrite } from '../../lib/api/query'
import { AccountSection } from './account-section'

/** At this number, new ones are recommended. */
const few = 3

interface RecoveryCodesSectionProps {
  readonly left: number
  readonly onCodes: (codes: readonly string[]) => void
}

/** The number of remaining recovery codes, and generating new ones. */
export function RecoveryCodesSection({ left, onCodes }: RecoveryCodesSectionProps) {
  const { t } = useTranslation('account')
  const renew = useWrite(factorRoutes.renewRecoveryCodes, {
    changes: [factorRoutes.getFactors],
    onSuccess: onCodes,
  })
  return (
    <AccountSection
      title={t('codes.title')}
      hint={t('codes.hint')}
      state={<StatusBadge tone={left > few ? 'neutral' : 'warning'}>{t('codes.left', { count: left })}</StatusBadge>}
      actions={
        <ConfirmButton
          size="sm"
          title={t('codes.renewTitle')}
          question={t('codes.renewQuestion')}
          confirmText={t('codes.renew')}
          loading={renew.isPending}
          onConfirm={() => renew.mutate({})}
        >
          {t('codes.renew')}
        </ConfirmButton>
      }
    />
  )
}
