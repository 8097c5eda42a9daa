import { role, userStatus, type userRoutes } from '@tollgate/contract'
import { useTranslation } from '../../lib/text/i18n'

import { StatusBadge, type Tone } from '../../components/status-badge'

type User = userRoutes.UserEntity

const states = {
  [userStatus.enabled]: { tone: 'good', name: 'enabled' },
  [userStatus.disabled]: { tone: 'bad', name: 'disabled' },
} as const satisfies Record<number, { tone: Tone; name: string }>

const roles = {
  [role.user]: { tone: 'neutral', name: 'user' },
  [role.admin]: { tone: 'accent', name: 'admin' },
  [role.root]: { tone: 'accent', name: 'root' },
} as const satisfies Record<number, { tone: Tone; name: string }>

const isState = (status: number): status is keyof typeof states => status in states
const isRole = (number: number): number is keyof typeof roles => number in roles

/** Status of the account. */
export function UserStatus({ user: { status, DeletedAt: closedAt } }: { readonly user: User }) {
  const { t } = useTranslation('users')
  if (closedAt !== null) return <StatusBadge tone="neutral">{t('status.closed')}</StatusBadge>
  if (!isState(status)) return <StatusBadge tone="warning">{t('status.unknown')}</StatusBadge>
  return <StatusBadge tone={states[status].tone}>{t(`status.${states[status].name}`)}</StatusBadge>
}

/** Role of the user. */
export function UserRole({ user }: { readonly user: User }) {
  const { t } = useTranslation('users')
  if (!isRole(user.role)) return <StatusBadge tone="warning">{t('role.unknown')}</StatusBadge>
  return <StatusBadge tone={roles[user.role].tone}>{t(`role.${roles[user.role].name}`)}</StatusBadge>
}
