import { useMantineColorScheme } from '@mantine/core'
import {
  IconActivityHeartbeat,
  IconBell,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconPlus,
  IconRoute,
} from '@tabler/icons-react'
import { channelRoutes } from '@tollgate/contract'

import { chooseAccountLanguage } from '../../../lib/api/choose-account-language'
import { useTranslation } from '../../../lib/text/i18n'
import { languageNames, languages } from '../../../lib/text/language'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { useSite } from '../../../lib/api/status'
import { pagesFor } from '../../pages'
import { themeChoices } from '../theme-menu'
import { useSignOut } from '../use-sign-out'
import type { Command } from './command'

/** Returns the pages of the menus, and the inbox. */
export function usePageCommands(): readonly Command[] {
  const { t } = useTranslation('shell')
  const viewer = useViewer()
  const ofMenus = pagesFor(useSite(), viewer).map(({ path, name, icon }) => page(path, name, icon))
  return viewer.user ? [...ofMenus, page('/app/inbox', t('inbox'), IconBell)] : ofMenus
}

const page = (path: string, label: string, icon: Command['icon']): Command => ({
  id: path,
  kind: 'page',
  label,
  icon,
  does: { to: path },
})

/** Returns actions available on every page. */
export function useActionCommands(onShortcuts: () => void): readonly Command[] {
  const { t } = useTranslation('shell')
  const { may } = useViewer()
  const { setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  const { mutate: testAll } = useWrite(channelRoutes.testChannels, {
    onSuccess: () => notifySuccess(t('action.testStarted')),
    changes: [channelRoutes.testProgress],
  })
  const newToken = action('new-token', t('action.newToken'), IconPlus, { to: '/app/tokens', search: { edit: 'new' } })
  const newChannel = action('new-channel', t('action.newChannel'), IconPlus, {
    to: '/admin/channels',
    search: { edit: 'new' },
  })
  const routing = action('route', t('action.route'), IconRoute, { to: '/admin/routing' })
  const testChannels = action('test-channels', t('action.testChannels'), IconActivityHeartbeat, () => testAll({}))
  return [
    newToken,
    ...(may('keys.write') ? [newChannel] : []),
    ...(may('channels.read') ? [routing] : []),
    ...(may('channels.write') ? [testChannels] : []),
    ...themeChoices.map(({ scheme, icon }) =>
      action(`theme-${scheme}`, `${t('theme.label')}: ${t(`theme.${scheme}`)}`, icon, () => setColorScheme(scheme)),
    ),
    ...languages.map((language) =>
      action(
        `language-${language}`,
        `${t('language')}: ${languageNames[language]}`,
        IconLanguage,
        () => void chooseAccountLanguage(language),
      ),
    ),
    action('shortcuts', t('shortcut.title'), IconKeyboard, onShortcuts),
    action('logout', t('logout'), IconLogout, signOut),
  ]
}

const action = (id: string, label: string, icon: Command['icon'], does: Command['does']): Command => ({
  id,
  kind: 'action',
  label,
  icon,
  does,
})
