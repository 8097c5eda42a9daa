import { sessionRoutes } from '@tollgate/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

import { notifySuccess } from '../../lib/notify'
import { useWrite } from '../../lib/query'
import { storedUser } from '../../lib/session'

/** End the session here and on the server. */
export function useSignOut(): () => void {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const client = useQueryClient()
  const { mutate } = useWrite(sessionRoutes.logOut, {
    onSuccess: () => {
      storedUser.clear()
      client.clear()
      notifySuccess(t('loggedOut'))
      void navigate({ to: '/login' })
    },
  })
  return () => mutate({})
}
