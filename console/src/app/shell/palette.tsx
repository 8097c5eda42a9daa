import '@mantine/spotlight/styles.layer.css'

import { Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { usePaletteCommands } from './use-palette-commands'

/** Everything that can be gone to or done, by typing a part of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('shell')
  const [query, setQuery] = useState('')
  const groups = usePaletteCommands(query)
  const isEmpty = groups.every(({ commands }) => commands.length === 0)
  return (
    <Spotlight.Root
      aria-label={t('palette.open')}
      query={query}
      onQueryChange={setQuery}
      forceOpened
      onSpotlightClose={onClose}
      shortcut={null}
      maxHeight={420}
      scrollable
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
    >
      <Spotlight.Search
        placeholder={t('palette.placeholder')}
        leftSection={<IconSearch size={18} />}
        aria-label={t('palette.open')}
      />
      <Spotlight.ActionsList>
        {isEmpty && <Spotlight.Empty>{t('palette.empty')}</Spotlight.Empty>}
        {groups.map(
          ({ name, commands }) =>
            commands.length > 0 && (
              <Spotlight.ActionsGroup key={name} label={t(`palette.${name}`)}>
                {commands.map(({ id, label, hint, icon: CommandIcon, run }) => (
                  <Spotlight.Action
                    key={id}
                    label={label}
                    description={hint}
                    leftSection={<CommandIcon size={18} stroke={1.6} />}
                    onClick={() => {
                      onClose()
                      run()
                    }}
                  />
                ))}
              </Spotlight.ActionsGroup>
            ),
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
