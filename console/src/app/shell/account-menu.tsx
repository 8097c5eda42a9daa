import { UnstyledButton } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { MenuButton } from '../../components/menu-button'
import type { StoredUser } from '../../lib/session'
import classes from './shell.module.css'
import { useSignOut } from './use-sign-out'

export function AccountMenu({ user }: { readonly user: StoredUser }) {
  const { t } = useTranslation('shell')
  const signOut = useSignOut()
  const label = t('account', { name: user.username })
  return (
    <MenuButton
      label={label}
      items={[{ id: 'logout', label: t('logout'), icon: IconLogout, onClick: signOut }]}
      trigger={(props) => (
        <UnstyledButton aria-label={label} className={classes.account} {...props}>
          <span className={classes.avatar} data-letter={user.username.slice(0, 1).toUpperCase()} />
          <span className={classes.accountName}>{user.username}</span>
        </UnstyledButton>
      )}
    />
  )
}
