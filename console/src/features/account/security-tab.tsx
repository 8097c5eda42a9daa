import { Alert, Stack } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { factorRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { useRead, useWrite } from '../../lib/api/query'
import { PasskeySection } from './passkey-section'
import { AccountSection, ReadState } from './account-section'
import { SessionsSection } from './sessions-section'
import { TotpSection } from './totp-section'
import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { StatusBadge } from '../../components/status-badge'

const RecoveryCodesDialog = lazy(async () => ({
  default: (await import('./recovery-codes-dialog')).RecoveryCodesDialog,
}))

const placeholderHeight = 320

/** Second factors and active sessions. */
export function SecurityTab() {
  const { t } = useTranslation('account')
  const read = useRead(factorRoutes.getFactors, {})
  const { data } = read
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (!data) return <ReadState read={read} height={placeholderHeight} />
  const hasFactor = data.totp_since !== null || data.passkeys.length > 0
  const isBarred = data.is_required && !hasFactor
  return (
    <Stack gap="md">
      {isBarred && (
        <Alert color="yellow" title={t('required.title')}>
          {t('required.hint')}
        </Alert>
      )}
      <TotpSection since={data.totp_since} onCodes={setCodes} />
      <PasskeySection factors={data} onCodes={setCodes} />
      {hasFactor && <RecoveryCodesSection left={data.recovery_codes} onCodes={setCodes} />}
      {/* While a required factor is missing, the server does not list them. */}
      {!isBarred && <SessionsSection />}
      {codes && (
        <Suspense>
          <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
        </Suspense>
      )}
    </Stack>
  )
}

/** At this number, new ones are recommended. */
const few = 3

interface RecoveryCodesSectionProps {
  readonly left: number
  readonly onCodes: (codes: readonly string[]) => void
}

/** The number of remaining recovery codes, and generating new ones. */
function RecoveryCodesSection({ left, onCodes }: RecoveryCodesSectionProps) {
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
