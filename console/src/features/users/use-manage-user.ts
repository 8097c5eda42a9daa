import { userRoutes } from '@tollgate/contract'
import { useTranslation } from '../../lib/text/i18n'

import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { userReads } from './use-users'
import type { RoleAction } from './user-rights'

type User = userRoutes.UserEntity

/** Returns a function that applies an action to a user; the rows show the status and role in the response. */
export function useManageUser(): (user: User, action: RoleAction) => void {
  const { t } = useTranslation('users')
  const write = useWrite(userRoutes.manageUser, { changes: userReads })
  return (user, action) =>
    write.mutate(
      { body: { id: user.id, action } },
      { onSuccess: () => notifySuccess(t(`done.${action}`, { name: user.username })) },
    )
}
