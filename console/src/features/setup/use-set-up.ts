import { sessionRoutes, setupRoutes, type ApiError } from '@tollgate/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

import { call } from '../../lib/api'
import { useWrite } from '../../lib/query'
import { storedUser } from '../../lib/session'
import { statusQuery } from '../../lib/status'
import type { SetupValues } from './setup-faults'

/** Long enough to see that it worked. */
const shownMs = 1_500

/** Set the gateway up, sign its new administrator in, and go on to the console. */
export function useSetUp({ onError }: { readonly onError: (error: ApiError) => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  /** What to do once it was seen that it worked. */
  const [next, setNext] = useState<(() => Promise<void>) | null>(null)
  const { mutate, isPending } = useWrite(setupRoutes.setUp, { onError })

  /** Whoever cannot be signed in at once does so by hand. */
  async function goOn({ username, password }: SetupValues, isNew: boolean) {
    const user = isNew ? await call(sessionRoutes.logIn, { body: { username, password } }).catch(() => null) : null
    if (user) storedUser.set(user)
    await client.invalidateQueries({ queryKey: statusQuery.queryKey })
    // A server that does not answer now is told of by the page that comes.
    await client.fetchQuery({ ...statusQuery, staleTime: 0 }).catch(() => null)
    await navigate({ to: user ? '/app/tokens' : '/login' })
  }

  useEffect(() => {
    if (!next) return undefined
    const timer = setTimeout(() => void next(), shownMs)
    return () => clearTimeout(timer)
  }, [next])

  return {
    isDone: next !== null,
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
          onSuccess: () => setNext(() => () => goOn({ ...values, username }, !needs.root_init)),
        },
      )
    },
  }
}
