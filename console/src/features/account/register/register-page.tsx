import { Alert, Anchor, Stack } from '@mantine/core'
import { getRouteApi, Link, Navigate, useNavigate } from '@tanstack/react-router'

import { AuthCard } from '../../../components/auth-card'
import { ExternalSignIn, hasExternalSignIn } from '../../../domain/external-sign-in/external-sign-in'
import { useTranslation } from '../../../lib/text/i18n'
import { storedInvitation } from '../../../lib/url/invitation'
import { safeReturn } from '../../../lib/url/safe-return'
import { useViewer } from '../../../lib/api/session'
import { useSite } from '../../../lib/api/status'
import { useStored } from '../../../lib/browser/stored-value'
import { InvitationField } from './invitation-field'
import { RegisterForm } from './register-form'

const route = getRouteApi('/register')

/** Registration in every way that the site allows. */
export function RegisterPage() {
  const { t } = useTranslation('register')
  const { returnTo } = route.useSearch()
  const { user } = useViewer()
  const site = useSite()
  const {
    register_enabled: isOpen,
    password_register_enabled: hasPasswords,
    invitation_required: isInvitationNeeded,
  } = site
  const hasOthers = hasExternalSignIn(site)
  const [invitation] = useStored(storedInvitation)
  const navigate = useNavigate()
  const toLogin = () => void navigate({ to: '/login', search: { returnTo } })
  if (user) return <Navigate to="/app/tokens" replace />
  return (
    <AuthCard
      title={t('title')}
      hint={isOpen && !isInvitationNeeded && invitation !== '' && t('invited', { code: invitation })}
      providers={isOpen && hasOthers && <ExternalSignIn returnTo={safeReturn(returnTo)} />}
      footer={
        <>
          {t('member')}{' '}
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => <Link to="/login" search={{ returnTo }} {...props} />}
          >
            {t('logIn')}
          </Anchor>
        </>
      }
    >
      {isOpen && hasPasswords ? (
        <RegisterForm onDone={toLogin} />
      ) : (
        <Stack gap="md">
          <Alert color="gray">{t(isOpen ? (hasOthers ? 'elsewhere' : 'nowhere') : 'closed')}</Alert>
          {isOpen && hasOthers && isInvitationNeeded && <InvitationField />}
        </Stack>
      )}
    </AuthCard>
  )
}
