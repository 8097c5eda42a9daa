import { sessionRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { call } from './api'
import { storedUser } from './session'
import { StoredValue } from '../browser/stored-value'

/** The server still has to end a session that ended in the browser. */
const storedPending = new StoredValue('sign-out-pending', z.boolean(), false)

/** Pause between two attempts to reach the server. */
const pauseMs = 15_000

/** Ends the session of this browser on the server. Resolves with false when the server is unreachable; it is told later. */
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

/**
 * Retries a sign-out that did not reach the server: now, when the network is back, and from time to time. Returns a function that stops it.
 */
export function retrySignOut(): () => void {
  const retry = () => {
    // A later sign-in has a new session, and the cookie belongs to that one.
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
