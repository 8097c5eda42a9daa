import { Alert, Stack, Text, TextInput } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { IconDots, IconPencil, IconSearch, IconTrash } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'

import { useTranslation } from '../../lib/text/i18n'
import { useChat, useSession } from './hooks/chat-context'
import { findSessions, type Summary } from './storage/bounds'
import type { SavedSessions } from './storage/saved-sessions'
import classes from './session-list.module.css'
import { MenuButton } from '../../components/menu-button'
import { useFormat } from '../../lib/text/use-format'

const route = getRouteApi('/playground')

/** The sessions stored in this browser. */
export function SessionList({ saved }: { readonly saved: SavedSessions }) {
  const { t } = useTranslation('playground')
  const chat = useChat()
  const openId = useSession(({ id }) => id)
  const navigate = route.useNavigate()
  const summaries = useSyncExternalStore(saved.subscribe, () => saved.summaries())
  const isKeeping = useSyncExternalStore(saved.subscribe, () => saved.isKeeping())
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

interface SessionRowProps {
  readonly summary: Summary
  readonly isOpen: boolean
  readonly onRename: (title: string) => void
  readonly onRemove: () => void
}

/** A stored session: opens, renames or deletes it. */
function SessionRow({ summary, isOpen, onRename, onRemove }: SessionRowProps) {
  const { t } = useTranslation('playground')
  const { ago } = useFormat()
  const [isRenaming, setRenaming] = useState(false)
  const name = summary.name || t('session.unnamed')
  if (isRenaming)
    return (
      <li>
        <NameField
          name={summary.name}
          onCancel={() => setRenaming(false)}
          onDone={(title) => {
            setRenaming(false)
            onRename(title)
          }}
        />
      </li>
    )
  return (
    <li className={classes.row} data-is-open={isOpen || undefined}>
      <Link
        to="/playground"
        search={{ session: summary.id }}
        className={classes.link}
        aria-current={isOpen ? 'page' : undefined}
      >
        <span className={classes.name}>{name}</span>
        <span className={classes.note}>{[ago(summary.updatedAt / 1000), ...summary.models].join(' · ')}</span>
      </Link>
      <MenuButton
        label={t('session.actions', { name })}
        icon={IconDots}
        items={[
          { id: 'rename', label: t('session.rename'), icon: IconPencil, onClick: () => setRenaming(true) },
          {
            id: 'remove',
            label: t('session.remove'),
            icon: IconTrash,
            isDangerous: true,
            confirmation: {
              title: t('session.removeTitle'),
              question: t('session.removeQuestion', { name }),
              confirmText: t('session.remove'),
            },
            onClick: onRemove,
          },
        ]}
      />
    </li>
  )
}

interface NameFieldProps {
  readonly name: string
  readonly onCancel: () => void
  readonly onDone: (name: string) => void
}

function NameField({ name, onCancel, onDone }: NameFieldProps) {
  const { t } = useTranslation('playground')
  const [text, setText] = useState(name)
  return (
    <TextInput
      size="xs"
      aria-label={t('session.name')}
      maxLength={80}
      value={text}
      autoFocus
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => onDone(text)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') onDone(text)
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    />
  )
}
