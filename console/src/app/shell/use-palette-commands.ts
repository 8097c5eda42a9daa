import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  IconActivityHeartbeat,
  IconKey,
  IconLanguage,
  IconPlugConnected,
  IconPlus,
  type Icon,
} from '@tabler/icons-react'
import { channelRoutes, pageIn, tokenRoutes } from '@tollgate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

import { chooseLanguage } from '../../lib/i18n'
import { languages } from '../../lib/language'
import { notifySuccess } from '../../lib/notify'
import { useRead, useWrite } from '../../lib/query'
import { useViewer } from '../../lib/session'
import { useSite } from '../../lib/status'
import { pagesFor } from '../pages'
import { languageNames } from './language-menu'
import { themeChoices } from './theme-menu'

interface Command {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly icon: Icon
  readonly run: () => void
}

interface CommandGroup {
  readonly name: 'pages' | 'actions' | 'tokens' | 'channels' | 'settings'
  readonly commands: readonly Command[]
}

/** What the typed text finds: pages, actions, tokens and channels by name or id, theme and language. */
export function usePaletteCommands(query: string): readonly CommandGroup[] {
  const pages = usePageCommands()
  const actions = useActionCommands()
  const settings = useSettingCommands()
  const tokens = useTokenCommands(query)
  const channels = useChannelCommands(query)
  const isMatch = ({ label }: Command) => label.toLowerCase().includes(query.trim().toLowerCase())
  return [
    { name: 'pages', commands: pages.filter(isMatch) },
    { name: 'actions', commands: actions.filter(isMatch) },
    { name: 'tokens', commands: tokens },
    { name: 'channels', commands: channels },
    { name: 'settings', commands: settings.filter(isMatch) },
  ]
}

function usePageCommands(): readonly Command[] {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  return pagesFor(useSite(), useViewer()).map(({ path, name, icon }) => ({
    id: path,
    label: t(`page.${name}`),
    icon,
    run: () => void navigate({ to: path }),
  }))
}

function useActionCommands(): readonly Command[] {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { isAdmin } = useViewer()
  const { mutate: testAll } = useWrite(channelRoutes.testChannels, {
    onSuccess: () => notifySuccess(t('action.testStarted')),
    changes: [channelRoutes.testProgress],
  })
  const forUsers = [
    {
      id: 'new-token',
      label: t('action.newToken'),
      icon: IconPlus,
      run: () => void navigate({ to: '/app/tokens', search: { edit: 'new' } }),
    },
  ]
  if (!isAdmin) return forUsers
  return [
    ...forUsers,
    {
      id: 'new-channel',
      label: t('action.newChannel'),
      icon: IconPlus,
      run: () => void navigate({ to: '/admin/channels', search: { edit: 'new' } }),
    },
    { id: 'test-channels', label: t('action.testChannels'), icon: IconActivityHeartbeat, run: () => testAll({}) },
  ]
}

function useSettingCommands(): readonly Command[] {
  const { t } = useTranslation('shell')
  const { setColorScheme } = useMantineColorScheme()
  return [
    ...themeChoices.map(({ scheme, icon }) => ({
      id: `theme-${scheme}`,
      label: `${t('theme.label')}: ${t(`theme.${scheme}`)}`,
      icon,
      run: () => setColorScheme(scheme),
    })),
    ...languages.map((language) => ({
      id: `language-${language}`,
      label: `${t('language')}: ${languageNames[language]}`,
      icon: IconLanguage,
      run: () => void chooseLanguage(language),
    })),
  ]
}

const typingMs = 200
const mostFound = 5

function useTokenCommands(query: string): readonly Command[] {
  const navigate = useNavigate()
  const [keyword] = useDebouncedValue(query.trim(), typingMs)
  const { data } = useRead(
    tokenRoutes.searchTokens,
    { query: { keyword, p: 0, page_size: mostFound } },
    { enabled: keyword !== '', select: pageIn },
  )
  if (keyword === '') return []
  return (data?.items ?? []).map(({ id, name }) => ({
    id: `token-${id}`,
    label: name,
    hint: `#${id}`,
    icon: IconKey,
    run: () => void navigate({ to: '/app/tokens', search: { keyword: name } }),
  }))
}

function useChannelCommands(query: string): readonly Command[] {
  const navigate = useNavigate()
  const { isAdmin } = useViewer()
  const [keyword] = useDebouncedValue(query.trim(), typingMs)
  const { data } = useRead(
    channelRoutes.searchChannels,
    { query: { keyword, p: 1, page_size: mostFound } },
    { enabled: isAdmin && keyword !== '', select: pageIn },
  )
  if (keyword === '') return []
  return (data?.items ?? []).map(({ id, name }) => ({
    id: `channel-${id}`,
    label: name,
    hint: `#${id}`,
    icon: IconPlugConnected,
    run: () => void navigate({ to: '/admin/channels', search: { edit: String(id) } }),
  }))
}
