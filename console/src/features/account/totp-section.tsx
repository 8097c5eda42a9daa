import { Button } from '@mantine/core'
import { factorRoutes, type RouteResult } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { StatusBadge } from '../../components/status-badge'
import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { AccountSection } from './account-section'

const TotpDialog = lazy(async () => ({ default: (await import('./totp-dialog')).TotpDialog }))

interface TotpSectionProps {
  /** Unix seconds; null while it is off. */
  readonly since: number | null
  /** Called with recovery codes to show. */
  readonly onCodes: (codes: readonly string[]) => void
}

/** Sets up an authenticator app, or turns it off. */
export function TotpSection({ since, onCodes }: TotpSectionProps) {
  const { t } = useTranslation('account')
  const [enrollment, setEnrollment] = useState<RouteResult<typeof factorRoutes.beginTotp> | undefined>()
  const begin = useWrite(factorRoutes.beginTotp, { onSuccess: setEnrollment })
  const remove = useWrite(factorRoutes.removeTotp, {
    changes: [factorRoutes.getFactors],
    onSuccess: () => notifySuccess(t('totp.removed')),
  })
  const isOn = since !== null
  return (
    <AccountSection
      title={t('totp.title')}
      hint={isOn ? t('totp.since', { time: formatTime(since) }) : t('totp.hint')}
      state={isOn && <StatusBadge tone="good">{t('on')}</StatusBadge>}
      actions={
        <>
          <Button
            variant={isOn ? 'default' : 'filled'}
            size="sm"
            loading={begin.isPending}
            onClick={() => begin.mutate({})}
          >
            {t(isOn ? 'totp.replace' : 'totp.begin')}
          </Button>
          {isOn && (
            <ConfirmButton
              size="sm"
              title={t('totp.removeTitle')}
              question={t('totp.removeQuestion')}
              confirmText={t('totp.remove')}
              loading={remove.isPending}
              onConfirm={() => remove.mutate({})}
            >
              {t('totp.remove')}
            </ConfirmButton>
          )}
        </>
      }
    >
      {enrollment && (
        <Suspense>
          <TotpDialog
            enrollment={enrollment}
            onDone={(codes) => {
              setEnrollment(undefined)
              if (codes) onCodes(codes)
            }}
            onClose={() => setEnrollment(undefined)}
          />
        </Suspense>
      )}
    </AccountSection>
  )
}
