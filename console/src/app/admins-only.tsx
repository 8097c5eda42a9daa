import { IconLock } from '@tabler/icons-react'
import type { Grant } from '@tollgate/contract'
import type { ReactNode } from 'react'

import { DeadEnd } from '../components/page/state-message'
import { useTranslation } from '../lib/text/i18n'
import { useViewer } from '../lib/api/session'

interface AdminsOnlyProps {
  /** Any one of these grants opens the page; absent: administrators only. */
  readonly grants?: Grant | readonly Grant[]
  readonly children: ReactNode
}

/** A page for administrators, and users with a grant for it. Others see a refusal, and the page makes no request. */
export function AdminsOnly({ grants, children }: AdminsOnlyProps) {
  const { isAdmin, may } = useViewer()
  return (grants === undefined ? isAdmin : may(grants)) ? children : <NoAccess />
}

function NoAccess() {
  const { t } = useTranslation()
  return (
    <DeadEnd
      icon={IconLock}
      title={t('error.forbidden')}
      hint={t('error.adminsOnly')}
      to="/app/tokens"
      action={t('error.toConsole')}
    />
  )
}
