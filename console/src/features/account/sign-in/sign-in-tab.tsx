import { Stack, Button } from '@mantine/core'
import { accountRoutes, factorRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { useRead } from '../../../lib/api/query'
import { AccountSection, ReadState } from '../account-section'
import { ExternalSection } from './external-section'
import { useTranslation } from '../../../lib/text/i18n'
import { useSite } from '../../../lib/api/status'

const placeholderHeight = 320

/** The reader's ways to sign in. */
export function SignInTab() {
  const read = useRead(accountRoutes.getSelf, {})
  const { data } = read
  if (!data) return <ReadState read={read} height={placeholderHeight} />
  return (
    <Stack gap="md">
      <PasswordSection />
      <MailSection address={data.email} />
      <ExternalSection user={data} />
    </Stack>
  )
}

const MailDialog = lazy(async () => ({ default: (await import('./mail-dialog')).MailDialog }))

/** The verified mail address of the account. */
function MailSection({ address }: { readonly address: string }) {
  const { t } = useTranslation('account')
  const { mail_enabled: canSend } = useSite()
  const [isOpen, setOpen] = useState(false)
  const unlinked = t(canSend ? 'mail.hint' : 'mail.off')
  return (
    <AccountSection
      title={t('mail.title')}
      hint={address === '' ? unlinked : t('mail.linked', { address })}
      actions={
        canSend && (
          <Button variant="default" size="sm" onClick={() => setOpen(true)}>
            {t(address === '' ? 'mail.link' : 'mail.change')}
          </Button>
        )
      }
    >
      {isOpen && (
        <Suspense>
          <MailDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </AccountSection>
  )
}

const PasswordDialog = lazy(async () => ({ default: (await import('./password-dialog')).PasswordDialog }))

/** Changes the password, or sets the first one of an account created through a provider. */
function PasswordSection() {
  const { t } = useTranslation('account')
  const { data } = useRead(factorRoutes.getFactors, {})
  const [isOpen, setOpen] = useState(false)
  const hasPassword = data?.has_password ?? true
  return (
    <AccountSection
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
    </AccountSection>
  )
}
