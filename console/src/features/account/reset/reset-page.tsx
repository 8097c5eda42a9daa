import { Alert, Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { AuthCard } from '../../../components/auth-card'
import { useTranslation } from '../../../lib/text/i18n'
import { useSite } from '../../../lib/api/status'
import { RequestResetForm } from './ask-form'

/** Sends a link by mail when the password was forgotten. */
export function ResetPage() {
  const { t } = useTranslation('reset')
  const { mail_enabled: canMail, password_login_enabled: hasPasswords } = useSite()
  return (
    <AuthCard
      title={t('title')}
      hint={canMail && hasPasswords && t('hint')}
      footer={
        <Anchor inherit underline="always" component={Link} to="/login">
          {t('back')}
        </Anchor>
      }
    >
      {canMail && hasPasswords ? (
        <RequestResetForm />
      ) : (
        <Alert color="gray">{t(hasPasswords ? 'noMail' : 'noPasswords')}</Alert>
      )}
    </AuthCard>
  )
}
