import { sessionRoutes, setupRoutes, type ApiError } from '@tollgate/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import { call } from '../../lib/api'
import { useWrite } from '../../lib/query'
import { storedUser } from '../../lib/session'
import { statusQuery } from '../../lib/status'
import type { SetupValues } from './setup-faults'

/** Long enough to see that it worked. */
const shownMs = 1_500

/** Set the gateway up, sign its new administrator in at once, and go on to the console when that was seen. */
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
      // A server that does not answer now is told of by the page that comes.
      await client.fetchQuery({ ...statusQuery, staleTime: 0 }).catch(() => null)
      await navigate({ to: isSignedIn ? '/app/tokens' : '/login' })
    }
    const timer = setTimeout(() => void goOn(), shownMs)
    return () => {
      clearTimeout(timer)
      // Whoever leaves earlier finds the gateway set up all the same.
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

/** Resolves with whether it worked; otherwise one signs in by hand. */
async function signedIn(body: { readonly username: string; readonly password: string }): Promise<boolean> {
  const user = await call(sessionRoutes.logIn, { body }).catch(() => null)
  if (user) storedUser.set(user)
  return user !== null
}
