import { TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'

import { MenuButton } from '../../../components/menu-button'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import type { Summary } from '../storage/bounds'
import classes from './sessions.module.css'

interface SessionRowProps {
  readonly summary: Summary
  readonly isOpen: boolean
  readonly onRename: (title: string) => void
  readonly onRemove: () => void
}

/** A stored session: opens, renames or deletes it. */
export function SessionRow({ summary, isOpen, onRename, onRemove }: SessionRowProps) {
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
