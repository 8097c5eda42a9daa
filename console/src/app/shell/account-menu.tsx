import { UnstyledButton } from '@mantine/core'
import { IconCreditCard, IconKeyboard, IconLogout, IconSpeakerphone } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'

import { MenuButton, type MenuItem } from '../../components/menu-button'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer, type StoredUser } from '../../lib/api/session'
import { useSite } from '../../lib/api/status'
import { webAddress } from '../../lib/url/web-address'
import { pagesFor } from '../pages'
import classes from './shell.module.css'
import type { Overlay } from './use-shortcuts'
import { useSignOut } from './use-sign-out'

interface AccountMenuProps {
  readonly user: StoredUser
  readonly onOpen: (overlay: Overlay) => void
}

/** The signed-in user, their personal pages, and signing out. */
export function AccountMenu({ user, onOpen }: AccountMenuProps) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const signOut = useSignOut()
  const viewer = useViewer()
  const site = useSite()
  const personal = pagesFor(site, viewer).filter(({ section }) => section === 'personal')
  const topUp = webAddress(site.top_up_link)
  const label = t('account', { name: user.username })
  const items: readonly MenuItem[] = [
    ...personal.map(({ path, name, icon }) => ({
      id: path,
      label: name,
      icon,
      onClick: () => void navigate({ to: path }),
    })),
    ...(topUp === undefined
      ? []
      : [
          {
            id: 'top-up',
            label: t('topUp'),
            icon: IconCreditCard,
            onClick: () => void window.open(topUp, '_blank', 'noopener,noreferrer'),
          },
        ]),
    ...(site.notice_id === ''
      ? []
      : [{ id: 'notice', label: t('notice.title'), icon: IconSpeakerphone, onClick: () => onOpen('notice') }]),
    { id: 'shortcuts', label: t('shortcut.title'), icon: IconKeyboard, onClick: () => onOpen('shortcuts') },
    { id: 'logout', label: t('logout'), icon: IconLogout, startsGroup: true, onClick: signOut },
  ]
  return (
    <MenuButton
      label={label}
      heading={`${user.display_name || user.username} · ${t(viewer.isRoot ? 'role.root' : viewer.isAdmin ? 'role.admin' : 'role.user')}`}
      items={items}
      trigger={(props) => (
        <UnstyledButton aria-label={label} className={classes.account} {...props}>
          <span className={classes.avatar} data-letter={user.username.slice(0, 1).toUpperCase()} />
          <span className={classes.accountName}>{user.username}</span>
        </UnstyledButton>
      )}
    />
  )
}
