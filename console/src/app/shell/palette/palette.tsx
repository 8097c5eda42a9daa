import '@mantine/spotlight/styles.layer.css'

import { Kbd } from '@mantine/core'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

import { FocusBack } from '../../../components/focus-back'
import { useTranslation } from '../../../lib/text/i18n'
import type { Command } from './command'
import classes from './palette.module.css'
import { useCommands } from './use-commands'

interface PaletteProps {
  readonly onClose: () => void
  readonly onShortcuts: () => void
}

/** Finds pages, records and actions by a part of their name. */
export function Palette({ onClose, onShortcuts }: PaletteProps) {
  const { t } = useTranslation('shell')
  // Opened through its store, not by a prop: when forced open, the kit does not report closing.
  const [[store, { open }]] = useState(createSpotlight)
  useEffect(open, [open])
  const [query, setQuery] = useState('')
  const navigate = useNavigate()
  const { groups, isSearching, remember } = useCommands(query, onShortcuts)
  const filled = groups.filter(({ commands }) => commands.length > 0)
  // The kit preselects the first result for Enter only while typing; results that arrive later would stay unselected.
  const first = query === '' ? undefined : filled[0]?.commands[0]?.id
  const choose = (command: Command) => {
    onClose()
    remember(command)
    if (typeof command.does === 'function') command.does()
    else void navigate(command.does)
  }
  return (
    <Spotlight.Root
      attributes={{ content: { 'aria-label': t('palette.open') } }}
      query={query}
      onQueryChange={setQuery}
      store={store}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
    >
      <FocusBack />
      <Spotlight.Search
        placeholder={t('palette.placeholder')}
        leftSection={<IconSearch size={18} />}
        aria-label={t('palette.open')}
      />
      <Spotlight.ActionsList className={classes.list}>
        {filled.length === 0 && (
          <Spotlight.Empty>{t(isSearching ? 'palette.searching' : 'palette.empty')}</Spotlight.Empty>
        )}
        {filled.map(({ name, commands }) => (
          <Spotlight.ActionsGroup key={name} label={t(`palette.${name}`)} className={classes.group}>
            {commands.map((command) => (
              <PaletteLine
                key={command.id}
                command={command}
                isFirst={command.id === first}
                onChoose={() => choose(command)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
      </Spotlight.ActionsList>
      <Spotlight.Footer className={classes.foot}>
        {hints.map(([key, name]) => (
          <span key={name}>
            <Kbd size="xs">{key}</Kbd> {t(`palette.hint.${name}`)}
          </span>
        ))}
      </Spotlight.Footer>
    </Spotlight.Root>
  )
}

const hints = [
  ['↑↓', 'move'],
  ['↵', 'choose'],
  ['Esc', 'close'],
] as const

interface PaletteLineProps {
  readonly command: Command
  readonly isFirst: boolean
  readonly onChoose: () => void
}

function PaletteLine({ command: { label, hint, icon: CommandIcon }, isFirst, onChoose }: PaletteLineProps) {
  return (
    <Spotlight.Action
      data-selected={isFirst || undefined}
      label={label}
      leftSection={<CommandIcon size={18} stroke={1.6} />}
      rightSection={hint && <span className={classes.hint}>{hint}</span>}
      onClick={onChoose}
    />
  )
}
