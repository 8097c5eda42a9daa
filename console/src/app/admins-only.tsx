import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { StateMessage } from '../components/state-message'
import { useTranslation } from '../lib/i18n'
import { useViewer } from '../lib/session'

/** A page for administrators. Others are told so, and the page asks the server for nothing. */
export function AdminsOnly({ children }: { readonly children: ReactNode }) {
  const { isAdmin } = useViewer()
  return isAdmin ? children : <NoAccess />
}

function NoAccess() {
  const { t } = useTranslation()
  return (
    <StateMessage
      icon={IconLock}
      title={t('error.forbidden')}
      hint={t('error.adminsOnly')}
      isBarred
      isPage
      action={
        <Button component={Link} to="/app/tokens">
          {t('error.toConsole')}
        </Button>
      }
    />
  )
}
