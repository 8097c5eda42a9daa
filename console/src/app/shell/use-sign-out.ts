import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess, notifyWarning } from '../../lib/browser/notify'
import { storedUser } from '../../lib/api/session'
import { endSession } from '../../lib/api/sign-out'

/** Returns a function that ends the session in the browser at once, and on the server as soon as it can be reached. */
export function useSignOut(): () => void {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const client = useQueryClient()
  return () => {
    const isEnded = endSession()
    storedUser.clear()
    client.clear()
    void navigate({ to: '/login' })
    void isEnded.then((isDone) => (isDone ? notifySuccess(t('loggedOut')) : notifyWarning(t('loggedOutHere'))))
  }
}
