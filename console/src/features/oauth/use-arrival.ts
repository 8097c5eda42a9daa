import { useNavigate, useRouter } from '@tanstack/react-router'
import { ApiError, type sessionRoutes, type RouteAnswer } from '@tollgate/contract'
import { useEffect, useRef } from 'react'

import { understood } from '../../lib/api'
import { useTranslation } from '../../lib/i18n'
import { storedInvitation } from '../../lib/invitation'
import { notifyError, notifySuccess } from '../../lib/notify'
import { safeReturn } from '../../lib/safe-return'
import { storedUser } from '../../lib/session'

/** What came of a sign-in elsewhere. */
export interface Arrival {
  /** Null where an account was bound. */
  readonly user: RouteAnswer<typeof sessionRoutes.logIn> | null
  readonly returnTo?: string | null | undefined
}

/** Does once what a provider sent the browser back for, says what came of it and goes on from there. */
export function useArrival(arrive: () => Promise<Arrival>): void {
  const { t } = useTranslation('external-sign-in')
  const router = useRouter()
  const navigate = useNavigate()
  // What is in the address works once, and an effect may run twice.
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
    arrive().then(succeed, (error: unknown) => fail(error instanceof ApiError ? error : understood(error)))
  }, [arrive, router, navigate, t])
}

/** Leads whoever may not see the settings of the site on to their own. */
const settings = '/admin/settings'
