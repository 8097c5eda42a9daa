import { Alert, Stack } from '@mantine/core'
import { factorRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import { PasskeySection } from './passkey-section'
import { ReadState } from './read-state'
import { RecoveryCodesSection } from './recovery-codes-section'
import { SessionsSection } from './sessions-section'
import { TotpSection } from './totp-section'

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
