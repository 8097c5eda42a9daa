import { useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ApiError, sessionRoutes, setupRoutes } from '@tollgate/contract'

import { call } from '../../../lib/api/api'
import { useWrite } from '../../../lib/api/query'
import { storedUser } from '../../../lib/api/session'
import { statusQuery } from '../../../lib/api/status'
import type { Translate } from '../../../lib/text/i18n'
import { passwordFault } from '../../../lib/text/password-fault'
import type { Mode } from './mode-choice'

/** Long enough to see the success message. */
const shownMs = 1_500

/** Sets the gateway up, signs the new administrator in, and continues to the console after the success message. */
export function useSetUp({ onError }: { readonly onError: (error: ApiError) => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isDone, setDone] = useState(false)
  const signIn = useRef<Promise<boolean>>(undefined)
  const { mutate, isPending } = useWrite(setupRoutes.setUp, { onError })
  useEffect(() => {
    if (!isDone) return undefined
    const goOn = async () => {
      const isSignedIn = await signIn.current
      // If the server does not respond now, the next page reports it.
      await client.fetchQuery({ ...statusQuery, staleTime: 0 }).catch(() => null)
      await navigate({ to: isSignedIn ? '/admin/channels' : '/login' })
    }
    const timer = setTimeout(() => void goOn(), shownMs)
    return () => {
      clearTimeout(timer)
      // Leaving earlier must not show the setup again.
      void client.invalidateQueries({ queryKey: statusQuery.queryKey })
    }
  }, [isDone, client, navigate])
  return {
    isDone,
    isBusy: isPending,
    setUp: (values: SetupValues, needs: { readonly root_init: boolean; readonly code_required: boolean }) => {
      const { mode, setupCode, ...account } = values
      const username = account.username.trim()
      const body = {
        ...account,
        username,
        SelfUseModeEnabled: mode === 'self',
        DemoSiteEnabled: mode === 'demo',
        ...(needs.code_required && { setupCode: setupCode.trim() }),
      }
      mutate(
        { body },
        {
          onSuccess: () => {
            signIn.current = needs.root_init
              ? Promise.resolve(false)
              : signedIn({ username, password: values.password })
            setDone(true)
          },
        },
      )
    },
  }
}

/** Resolves with whether it worked; otherwise the administrator signs in by hand. */
async function signedIn(body: { readonly username: string; readonly password: string }): Promise<boolean> {
  const user = await call(sessionRoutes.logIn, { body }).catch(() => null)
  if (user) storedUser.set(user)
  return user !== null
}

export interface SetupValues {
  readonly username: string
  readonly password: string
  readonly confirmPassword: string
  readonly setupCode: string
  readonly mode: Mode
}

interface Needs {
  readonly root_init: boolean
  readonly code_required: boolean
}

/** Returns a sentence for each invalid field. Fields of an existing administrator are skipped. */
export function setupFaults(values: SetupValues, needs: Needs, t: Translate<'setup'>): Record<string, string> {
  const faults: Record<string, string> = {}
  if (!needs.root_init) {
    if (values.username.trim() === '') faults['username'] = t('fault.username')
    const fault = passwordFault(values.password)
    if (fault) faults['password'] = fault
    if (values.confirmPassword === '') faults['confirmPassword'] = t('fault.repeat')
    else if (values.password !== values.confirmPassword) faults['confirmPassword'] = t('fault.mismatch')
  }
  if (needs.code_required && values.setupCode.trim() === '') faults['setupCode'] = t('fault.code')
  return faults
}
