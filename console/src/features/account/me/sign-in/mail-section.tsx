import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'

import { useTranslation } from '../../../../lib/text/i18n'
import { useSite } from '../../../../lib/api/status'
import { MeSection } from '../me-section'

const MailDialog = lazy(async () => ({ default: (await import('./mail-dialog')).MailDialog }))

/** The verified mail address of the account. */
export function MailSection({ address }: { readonly address: string }) {
  const { t } = useTranslation('me')
  const { mail_enabled: canSend } = useSite()
  const [isOpen, setOpen] = useState(false)
  const unlinked = t(canSend ? 'mail.hint' : 'mail.off')
  return (
    <MeSection
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
    </MeSection>
  )
}
