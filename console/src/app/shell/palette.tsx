import '@mantine/spotlight/styles.layer.css'

import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { FocusBack } from '../../components/focus-back'
import { usePaletteCommands } from './use-palette-commands'

/** Everything that can be gone to or done, by typing a part of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('shell')
  // Opened by itself and not by force: what is forced open tells nobody when it is to be closed.
  const [[store, { open }]] = useState(createSpotlight)
  useEffect(open, [open])
  const [query, setQuery] = useState('')
  const groups = usePaletteCommands(query)
  // The kit chooses the first for Enter when something is typed; what is found only then would wait unchosen.
  const first = query === '' ? undefined : groups.flatMap(({ commands }) => commands)[0]?.id
  const isEmpty = groups.every(({ commands }) => commands.length === 0)
  return (
    <Spotlight.Root
      attributes={{ content: { 'aria-label': t('palette.open') } }}
      query={query}
      onQueryChange={setQuery}
      store={store}
      onSpotlightClose={onClose}
      shortcut={null}
      maxHeight={420}
      scrollable
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
    >
      <FocusBack />
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
                    data-selected={id === first || undefined}
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
