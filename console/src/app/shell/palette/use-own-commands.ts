import { useMantineColorScheme } from '@mantine/core'
import { IconActivityHeartbeat, IconKeyboard, IconLanguage, IconLogout, IconPlus, IconRoute } from '@tabler/icons-react'
import { channelRoutes } from '@tollgate/contract'

import { chooseLanguage, useTranslation } from '../../../lib/i18n'
import { languages } from '../../../lib/language'
import { notifySuccess } from '../../../lib/notify'
import { useWrite } from '../../../lib/query'
import { useViewer } from '../../../lib/session'
import { useSite } from '../../../lib/status'
import { pagesFor } from '../../pages'
import { languageNames } from '../language-menu'
import { themeChoices } from '../theme-menu'
import { useSignOut } from '../use-sign-out'
import type { Command } from './command'

/** The pages of the menus. */
export function usePageCommands(): readonly Command[] {
  return pagesFor(useSite(), useViewer()).map(({ path, name, icon }) => ({
    id: path,
    kind: 'page',
    label: name,
    icon,
    does: { to: path },
  }))
}

/** What can be done from anywhere. */
export function useActionCommands(onShortcuts: () => void): readonly Command[] {
  const { t } = useTranslation('shell')
  const { may } = useViewer()
  const { setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  const { mutate: testAll } = useWrite(channelRoutes.testChannels, {
    onSuccess: () => notifySuccess(t('action.testStarted')),
    changes: [channelRoutes.testProgress],
  })
  const kind = 'action'
  const newToken: Command = {
    id: 'new-token',
    kind,
    label: t('action.newToken'),
    icon: IconPlus,
    does: { to: '/app/tokens', search: { edit: 'new' } },
  }
  const newChannel: Command = {
    id: 'new-channel',
    kind,
    label: t('action.newChannel'),
    icon: IconPlus,
    does: { to: '/admin/channels', search: { edit: 'new' } },
  }
  const routing: Command = {
    id: 'route',
    kind,
    label: t('action.route'),
    icon: IconRoute,
    does: { to: '/admin/routing' },
  }
  const testChannels: Command = {
    id: 'test-channels',
    kind,
    label: t('action.testChannels'),
    icon: IconActivityHeartbeat,
    does: () => testAll({}),
  }
  return [
    newToken,
    ...(may('keys.write') ? [newChannel] : []),
    ...(may('channels.read') ? [routing] : []),
    ...(may('channels.write') ? [testChannels] : []),
    ...themeChoices.map(({ scheme, icon }): Command => ({
      id: `theme-${scheme}`,
      kind,
      label: `${t('theme.label')}: ${t(`theme.${scheme}`)}`,
      icon,
      does: () => setColorScheme(scheme),
    })),
    ...languages.map((language): Command => ({
      id: `language-${language}`,
      kind,
      label: `${t('language')}: ${languageNames[language]}`,
      icon: IconLanguage,
      does: () => void chooseLanguage(language),
    })),
    { id: 'shortcuts', kind, label: t('shortcut.title'), icon: IconKeyboard, does: onShortcuts },
    { id: 'logout', kind, label: t('logout'), icon: IconLogout, does: signOut },
  ]
}
