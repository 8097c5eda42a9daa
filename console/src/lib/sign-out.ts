import { sessionRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { call } from './api'
import { storedUser } from './session'
import { stored } from './storage'

/** The server still has to end a session that ended here. */
const storedPending = stored('sign-out-pending', z.boolean(), false)

/** Between two tries to reach the server. */
const pauseMs = 15_000

/** Ends the session of this browser on the server. Resolves with false when the server could not be told; it is told later. */
export async function endSession(): Promise<boolean> {
  storedPending.set(true)
  try {
    await call(sessionRoutes.logOut)
    storedPending.set(false)
    return true
  } catch {
    return false
  }
}

/** Tells the server of a sign-out it did not hear of: now, when the network is back, and from time to time. */
export function retrySignOut(): () => void {
  const retry = () => {
    // Whoever signed in since then has a new session, and the cookie is that one's.
    if (storedUser.get()) storedPending.set(false)
    if (storedPending.get()) void endSession()
  }
  retry()
  const timer = setInterval(retry, pauseMs)
  window.addEventListener('online', retry)
  return () => {
    clearInterval(timer)
    window.removeEventListener('online', retry)
  }
}
