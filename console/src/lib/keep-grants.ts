import { selfRoutes } from '@tollgate/contract'

import { adoptLanguage, forgetLanguageOwner } from './account-language'
import { call, whenForbidden } from './api'
import { storedGrants, storedUser } from './session'

/** Changes of grants are rare; a refused call asks at once. */
const askAgainMs = 5 * 60_000

/** Keeps what the console shows in step with what the server lets the account do: from now on, and for whoever signs in. */
export function keepGrants(): void {
  let asked: number | undefined
  const ask = () => {
    asked = storedUser.get()?.id
    if (asked === undefined) forgetLanguageOwner()
    else void askOnce(asked)
  }
  ask()
  storedUser.subscribe(() => {
    if (storedUser.get()?.id !== asked) ask()
  })
  whenForbidden(ask)
  setInterval(() => {
    if (document.visibilityState === 'visible') ask()
  }, askAgainMs)
}

/** Asks the server once what the account may do, and keeps the answer. */
export async function askOnce(userId: number): Promise<void> {
  try {
    const self = await call(selfRoutes.getSelf)
    const user = storedUser.get()
    if (user?.id !== userId || self.id !== userId) return
    if (user.role !== self.role) storedUser.set({ ...user, role: self.role })
    const told = { userId, grants: self.grants }
    await adoptLanguage(self)
    if (JSON.stringify(told) !== JSON.stringify(storedGrants.get())) storedGrants.set(told)
  } catch {
    // The next call that is refused asks again, and a session that ended has been noticed.
  }
}
