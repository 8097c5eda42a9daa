import { Alert, Stack, Text, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { IconSearch } from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import { useChat, useSession } from '../hooks/chat-context'
import { findSessions } from '../storage/bounds'
import type { SavedSessions } from '../storage/saved-sessions'
import { SessionRow } from './session-row'
import classes from './sessions.module.css'

const route = getRouteApi('/playground')

/** The sessions stored in this browser. */
export function SessionList({ saved }: { readonly saved: SavedSessions }) {
  const { t } = useTranslation('playground')
  const chat = useChat()
  const openId = useSession(({ id }) => id)
  const navigate = route.useNavigate()
  const summaries = useSyncExternalStore(saved.subscribe, saved.summaries)
  const isKeeping = useSyncExternalStore(saved.subscribe, saved.isKeeping)
  const [search, setSearch] = useState('')
  const shown = findSessions(summaries ?? [], search)

  function rename(id: string, title: string) {
    // The open session is saved by the page.
    if (id === openId) chat.dispatch({ kind: 'renamed', title })
    else void saved.rename(id, title)
  }
  function remove(id: string) {
    void saved.remove(id)
    if (id === openId) void navigate({ search: {}, replace: true })
  }

  return (
    <Stack gap={8} className={classes.list}>
      <TextInput
        size="xs"
        aria-label={t('session.search')}
        placeholder={t('session.search')}
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {!isKeeping && (
        <Alert variant="outline" color="yellow" p="xs">
          {t('session.notKept')}
        </Alert>
      )}
      {summaries && shown.length === 0 && (
        <Text size="xs" c="dimmed" px={6}>
          {t(search ? 'session.noMatch' : 'session.none')}
        </Text>
      )}
      <ul className={classes.rows}>
        {shown.map((summary) => (
          <SessionRow
            key={summary.id}
            summary={summary}
            isOpen={summary.id === openId}
            onRename={(title) => rename(summary.id, title)}
            onRemove={() => remove(summary.id)}
          />
        ))}
      </ul>
      <Text size="xs" c="dimmed" px={6}>
        {t('session.local')}
      </Text>
    </Stack>
  )
}
