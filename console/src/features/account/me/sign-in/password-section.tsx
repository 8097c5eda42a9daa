import { Button } from '@mantine/core'
import { factorRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { useTranslation } from '../../../../lib/text/i18n'
import { useRead } from '../../../../lib/api/query'
import { MeSection } from '../me-section'

const PasswordDialog = lazy(async () => ({ default: (await import('./password-dialog')).PasswordDialog }))

/** Changes the password, or sets the first one of an account created through a provider. */
export function PasswordSection() {
  const { t } = useTranslation('me')
  const { data } = useRead(factorRoutes.getFactors, {})
  const [isOpen, setOpen] = useState(false)
  const hasPassword = data?.has_password ?? true
  return (
    <MeSection
      title={t('password.title')}
      hint={t(hasPassword ? 'password.hint' : 'password.hintNone')}
      actions={
        <Button variant="default" size="sm" disabled={!data} onClick={() => setOpen(true)}>
          {t(hasPassword ? 'password.change' : 'password.set')}
        </Button>
      }
    >
      {isOpen && (
        <Suspense>
          <PasswordDialog hasPassword={hasPassword} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </MeSection>
  )
}
