import { Center, Loader, Stack, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { ApiError, type RouteResult, type sessionRoutes } from '@tollgate/contract'

import { useTranslation } from '../../../lib/text/i18n'
import { usePageTitle } from '../../../lib/browser/use-page-title'
import { toApiError } from '../../../lib/api/api'
import { storedInvitation } from '../../../lib/url/invitation'
import { notifyError, notifySuccess } from '../../../lib/browser/notify'
import { safeReturn } from '../../../lib/url/safe-return'
import { storedUser } from '../../../lib/api/session'

/** Shown while the gateway verifies a sign-in with the provider. */
export function Arriving() {
  const { t } = useTranslation('external-sign-in')
  usePageTitle(t('arriving'))
  return (
    <Center mih={240}>
      <Stack align="center" role="status">
        <Loader aria-hidden />
        <Title order={1} size="h4">
          {t('arriving')}
        </Title>
      </Stack>
    </Center>
  )
}

/** Result of a sign-in at a provider. */
interface Arrival {
  /** Null where an account was linked. */
  readonly user: RouteResult<typeof sessionRoutes.logIn> | null
  readonly returnTo?: string | null | undefined
}

/** Completes a redirect from a provider once, shows the result and continues from there. */
export function useArrival(arrive: () => Promise<Arrival>): void {
  const { t } = useTranslation('external-sign-in')
  const router = useRouter()
  const navigate = useNavigate()
  // The parameters in the address are valid once, and an effect may run twice.
  const hasArrived = useRef(false)
  useEffect(() => {
    if (hasArrived.current) return
    hasArrived.current = true
    const goTo = (path: string) => router.history.replace(path)
    const succeed = ({ user, returnTo }: Arrival) => {
      if (user) {
        storedInvitation.clear()
        storedUser.set(user)
      }
      notifySuccess(t(user ? 'done' : 'bound'))
      goTo(safeReturn(returnTo ?? undefined) ?? (user ? '/app/tokens' : settings))
    }
    const fail = (error: ApiError) => {
      notifyError(error)
      if (storedUser.get()) goTo(settings)
      else void navigate({ to: '/login', replace: true })
    }
    arrive().then(succeed, (error: unknown) => fail(error instanceof ApiError ? error : toApiError(error)))
  }, [arrive, router, navigate, t])
}

/** Redirects readers without access to their own settings. */
const settings = '/admin/settings?linked=true'
