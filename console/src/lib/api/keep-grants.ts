import { accountRoutes } from '@tollgate/contract'

import { adoptLanguage, forgetLanguageOwner } from './account-language'
import { call, whenForbidden } from './api'
import { storedGrants, storedUser } from './session'

/** Changes of grants are rare; a refused call refreshes them at once. */
const refreshIntervalMs = 5 * 60_000

/** Keeps the stored grants in step with the server: from now on, and for the next user. */
export function keepGrants(): void {
  let readAt: number | undefined
  const refresh = () => {
    readAt = storedUser.get()?.id
    if (readAt === undefined) forgetLanguageOwner()
    else void refreshOnce(readAt)
  }
  refresh()
  storedUser.subscribe(() => {
    if (storedUser.get()?.id !== readAt) refresh()
  })
  whenForbidden(refresh)
  setInterval(() => {
    if (document.visibilityState === 'visible') refresh()
  }, refreshIntervalMs)
}

/** Reads the account's permissions once and stores them. */
export async function refreshOnce(userId: number): Promise<void> {
  try {
    const self = await call(accountRoutes.getSelf)
    const user = storedUser.get()
    if (user?.id !== userId || self.id !== userId) return
    if (user.role !== self.role) storedUser.set({ ...user, role: self.role })
    const current = { userId, grants: self.grants, hasPlans: self.has_plans }
    await adoptLanguage(self)
    if (JSON.stringify(current) !== JSON.stringify(storedGrants.get())) storedGrants.set(current)
  } catch {
    // The next refused call tries again, and an ended session has been noticed.
  }
}
