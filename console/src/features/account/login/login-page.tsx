import { Alert, Anchor, Button } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { IconKey } from '@tabler/icons-react'
import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router'
import { factorRoutes } from '@tollgate/contract'

import { AuthCard } from '../../../components/auth-card'
import { ExternalSignIn, hasExternalSignIn } from '../../../domain/external-sign-in/external-sign-in'
import { useTranslation } from '../../../lib/text/i18n'
import { canSignInByPasskey, requestPasskey } from '../../../lib/browser/passkey'
import { safeReturn } from '../../../lib/url/safe-return'
import { storedUser, useViewer } from '../../../lib/api/session'
import { useSite } from '../../../lib/api/status'
import { LoginForm } from './login-form'
import { call, toApiError } from '../../../lib/api/api'
import { notifyError, notifySuccess } from '../../../lib/browser/notify'

const DefaultPasswordDialog = lazy(async () => ({
  default: (await import('./default-password-dialog')).DefaultPasswordDialog,
}))

const route = getRouteApi('/login')

/** Signs in by password and returns to the page the visitor came from. */
export function LoginPage() {
  const { t } = useTranslation('login')
  const { expired, returnTo } = route.useSearch()
  const { user } = useViewer()
  const site = useSite()
  const hasPasskeys = canSignInByPasskey()
  const { password_login_enabled: isOpen } = site
  const [isWarned, setWarned] = useState(false)
  const goOn = useGoOn(returnTo)
  useEffect(() => {
    if (user && !isWarned) goOn()
  }, [user, isWarned, goOn])
  return (
    <AuthCard
      title={t('title')}
      providers={
        (hasPasskeys || hasExternalSignIn(site)) && (
          <>
            {hasPasskeys && <PasskeyButton />}
            <ExternalSignIn returnTo={safeReturn(returnTo)} />
          </>
        )
      }
      footer={<OtherSignInMethods returnTo={returnTo} />}
    >
      {expired && (
        <Alert color="yellow" mb="md" p="sm">
          {t('expired')}
        </Alert>
      )}
      {isOpen ? <LoginForm onDefaultPassword={() => setWarned(true)} /> : <Alert color="gray">{t('closed')}</Alert>}
      {isWarned && (
        <Suspense>
          <DefaultPasswordDialog onClose={() => setWarned(false)} />
        </Suspense>
      )}
    </AuthCard>
  )
}

/** Links to registration and to a password reset, each where the site allows it. */
function OtherSignInMethods({ returnTo }: { readonly returnTo: string | undefined }) {
  const { t } = useTranslation('login')
  const site = useSite()
  const { mail_enabled: canMail, password_login_enabled: hasPasswords } = site
  const isOpen = site.register_enabled && !site.self_use_mode_enabled
  return (
    <>
      {isOpen && (
        <div>
          {t('newHere')}{' '}
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => <Link to="/register" search={{ returnTo }} {...props} />}
          >
            {t('register')}
          </Anchor>
        </div>
      )}
      {canMail && hasPasswords && (
        <Anchor inherit underline="always" component={Link} to="/reset">
          {t('forgot')}
        </Anchor>
      )}
    </>
  )
}

function useGoOn(returnTo: string | undefined) {
  const router = useRouter()
  const navigate = useNavigate()
  const [goOn] = useState(() => () => {
    const back = safeReturn(returnTo)
    if (back) router.history.replace(back)
    else void navigate({ to: '/app/tokens', replace: true })
  })
  return goOn
}

/** Signs in without a user name. The page itself reacts to the new session. */
export function PasskeyButton() {
  const { t } = useTranslation('login')
  const [isBusy, setBusy] = useState(false)
  const signIn = async () => {
    setBusy(true)
    try {
      const passkeyResponse = await requestPasskey(await call(factorRoutes.beginPasskeyLogIn))
      if (!passkeyResponse) return
      storedUser.set(await call(factorRoutes.passkeyLogIn, { body: { answer: passkeyResponse } }))
      notifySuccess(t('success'))
    } catch (error) {
      notifyError(toApiError(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<IconKey size={18} />}
      loading={isBusy}
      onClick={() => void signIn()}
    >
      {t('passkey')}
    </Button>
  )
}
