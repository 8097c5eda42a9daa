import { ActionIcon, Badge, Button, Group, Kbd, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2, IconSearch, IconBell, IconLanguage } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'

import classes from './shell.module.css'
import { useIsPhone, useIsTablet } from '../../lib/browser/breakpoints'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer, viewedUser } from '../../lib/api/session'
import { useSite } from '../../lib/api/status'
import { AccountMenu } from './account-menu'
import { Brand } from './brand'
import { ThemeMenu } from './theme-menu'
import { TopLinks } from './top-links'
import type { Overlay } from './use-shortcuts'
import { Tip } from '../../components/tip'
import { MenuButton } from '../../components/menu-button'
import { chooseAccountLanguage } from '../../lib/api/choose-account-language'
import { languageNames, languages } from '../../lib/text/language'

const PhoneMenu = lazy(async () => ({ default: (await import('./phone-menu')).PhoneMenu }))

interface TopBarProps {
  readonly onOpen: (overlay: Overlay) => void
}

export function TopBar({ onOpen }: TopBarProps) {
  const isPhone = useIsPhone()
  const { user } = useViewer()
  const { setup: isSetUp } = useSite()
  return (
    <header className={classes.topBar}>
      {isPhone && isSetUp && <PhoneMenuButton />}
      <Brand />
      {!isPhone && isSetUp && <TopLinks />}
      <ModeBadge />
      <Group gap={4} ml="auto" wrap="nowrap">
        {user && isSetUp && <SearchButton onClick={() => onOpen('palette')} />}
        <ThemeMenu />
        <LanguageMenu />
        {user && isSetUp && !viewedUser && <InboxBell />}
        {user ? <AccountMenu user={user} onOpen={onOpen} /> : <SignIn />}
      </Group>
    </header>
  )
}

function SearchButton({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation('shell')
  const isTablet = useIsTablet()
  if (isTablet)
    return (
      <ActionIcon aria-label={t('palette.open')} onClick={onClick}>
        <IconSearch size={18} />
      </ActionIcon>
    )
  return (
    <UnstyledButton className={classes.searchButton} onClick={onClick}>
      <IconSearch size={15} />
      <span>{t('palette.open')}</span>
      <Kbd size="xs" ml="auto">
        {/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}
      </Kbd>
    </UnstyledButton>
  )
}

/** Opens the phone menu. */
function PhoneMenuButton() {
  const { t } = useTranslation('shell')
  const [isOpen, { open, close }] = useDisclosure()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(close, [pathname, close])
  return (
    <>
      <ActionIcon aria-label={t('menu.open')} onClick={open}>
        <IconMenu2 size={20} />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <PhoneMenu onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function ModeBadge() {
  const { t } = useTranslation('shell')
  const site = useSite()
  if (site.demo_site_enabled) return <Badge color="orange">{t('mode.demo')}</Badge>
  if (site.self_use_mode_enabled) return <Badge color="gray">{t('mode.self')}</Badge>
  return null
}

/** Paths without a sign-in link. */
const signInPaths = ['/login', '/setup']

/** Paths whose own button is the solid one. */
const ownActionPaths = ['/', '/register', '/reset', '/user/reset']

function SignIn() {
  const { t } = useTranslation('shell')
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const isPhone = useIsPhone()
  const { register_enabled: isOpen, self_use_mode_enabled: isOwn } = useSite()
  if (signInPaths.includes(pathname)) return null
  const variant = ownActionPaths.includes(pathname) ? 'default' : 'filled'
  return (
    <>
      <Button component={Link} to="/login" ml={4} variant={isPhone ? variant : 'default'}>
        {t('login')}
      </Button>
      {isOpen && !isOwn && !isPhone && pathname !== '/register' && (
        <Button component={Link} to="/register" variant={variant}>
          {t('register')}
        </Button>
      )}
    </>
  )
}

/** After everything that a page shows first; the inbox shows its count at once. */
const delayMs = 5000

const UnreadCount = lazy(async () => {
  if (!location.pathname.startsWith('/app/inbox')) await new Promise((resolve) => setTimeout(resolve, delayMs))
  // Without a connection there is no count to show either.
  return import('./unread-count').then(
    ({ UnreadCount }) => ({ default: UnreadCount }),
    () => ({ default: () => null }),
  )
})

/** Links to the messages and shows how many are unread. */
export function InboxBell() {
  const { t } = useTranslation('shell')
  return (
    <Tip label={t('inbox')}>
      <ActionIcon component={Link} to="/app/inbox" pos="relative" style={{ overflow: 'visible' }}>
        <IconBell size={18} />
        <VisuallyHidden>{t('inbox')}</VisuallyHidden>
        <Suspense>
          <UnreadCount />
        </Suspense>
      </ActionIcon>
    </Tip>
  )
}

function LanguageMenu() {
  const { t, language: current } = useTranslation('shell')
  return (
    <MenuButton
      label={t('language')}
      icon={IconLanguage}
      items={languages.map((language) => ({
        id: language,
        label: languageNames[language],
        lang: language,
        isChosen: language === current,
        onClick: () => void chooseAccountLanguage(language),
      }))}
    />
  )
}
