import type { userRoutes } from '@tollgate/contract'

import { LimitsDrawer } from '../../domain/limits/limits-drawer'
import { useViewer } from '../../lib/api/session'
import { useOpenUser } from './user-data'
import { rightsOver } from './user-rights'

interface UserLimitsProps {
  readonly id: number
  /** Those of the page. */
  readonly users: readonly userRoutes.KnownUser[] | undefined
  readonly onClose: () => void
}

/** The limits of a user, which a link may open when the user is not on the page. */
export function UserLimits({ id, users, onClose }: UserLimitsProps) {
  const { user } = useOpenUser(id, users)
  const viewer = useViewer()
  return (
    <LimitsDrawer
      key={id}
      owner={{ owner: 'user', ref: String(id), name: user?.username ?? `#${id}` }}
      isReadOnly={user !== undefined && !rightsOver(viewer, user).mayWriteLimits}
      onClose={onClose}
    />
  )
}
