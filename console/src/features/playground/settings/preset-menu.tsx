import * as z from 'zod'
import { Button, Group } from '@mantine/core'
import { IconBookmark, IconChevronDown, IconLink, IconPlus, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { MenuButton } from '../../../components/menu-button'
import { copyText } from '../../../lib/browser/copy-text'
import { useTranslation } from '../../../lib/text/i18n'
import { withNamed } from '../../../lib/api/named-list'
import { notifySuccess } from '../../../lib/browser/notify'
import { useStored, StoredValue } from '../../../lib/browser/stored-value'
import { useChat } from '../hooks/chat-context'
import { defaultSettings, Settings } from '../session/settings'
import { sharedAddress } from '../session/shared-settings'

const NameDialog = lazy(async () => ({ default: (await import('../../../components/dialogs/name-dialog')).NameDialog }))

interface PresetMenuProps {
  readonly settings: Settings
  readonly onChange: (change: Partial<Settings>) => void
}

/** Named system prompts with parameters, and sharing the current ones as an address. */
export function PresetMenu({ settings, onChange }: PresetMenuProps) {
  const { t } = useTranslation('playground')
  const chat = useChat()
  const [known, setKnown] = useStored(presets)
  const [isNaming, setNaming] = useState(false)
  const { system, parameters } = settings
  const chosen = known.find((preset) => isAsPreset(settings, preset))
  const share = async () => {
    if (await copyText(sharedAddress(chat.get()))) notifySuccess(t('preset.shared'))
  }
  return (
    <Group gap={8} wrap="nowrap">
      <MenuButton
        label={t('preset.label')}
        items={[
          ...known.map((preset) => ({
            id: preset.name,
            label: preset.name,
            isChosen: preset === chosen,
            onClick: () => onChange({ system: preset.system, parameters: preset.parameters }),
          })),
          {
            id: 'save ',
            label: t('preset.save'),
            icon: IconPlus,
            startsGroup: known.length > 0,
            isDisabled: chosen !== undefined,
            onClick: () => setNaming(true),
          },
          {
            id: 'reset ',
            label: t('preset.reset'),
            onClick: () => onChange({ system: defaultSettings.system, parameters: defaultSettings.parameters }),
          },
          ...(chosen
            ? [
                {
                  id: 'remove ',
                  label: t('preset.remove', { name: chosen.name }),
                  icon: IconTrash,
                  isDangerous: true,
                  onClick: () => setKnown(known.filter((preset) => preset !== chosen)),
                },
              ]
            : []),
        ]}
        trigger={(props) => (
          <Button
            variant={chosen ? 'light' : 'default'}
            flex={1}
            miw={0}
            leftSection={<IconBookmark size={14} />}
            rightSection={<IconChevronDown size={14} />}
            {...props}
          >
            {chosen?.name ?? t('preset.label')}
          </Button>
        )}
      />
      <Button variant="default" leftSection={<IconLink size={14} />} onClick={() => void share()}>
        {t('preset.share')}
      </Button>
      <Suspense>
        {isNaming && (
          <NameDialog
            title={t('preset.save')}
            hint={t('preset.kept')}
            name=""
            taken={known.map(({ name }) => name)}
            onName={(name) => setKnown(withNamed(known, { name, system, parameters }))}
            onClose={() => setNaming(false)}
          />
        )}
      </Suspense>
    </Group>
  )
}

/** A named system prompt with parameters. The group is not included, since it decides prices. */
const Preset = Settings.pick({ system: true, parameters: true }).extend({ name: z.string().min(1) })
type Preset = z.output<typeof Preset>

const presets = new StoredValue('playground-presets', z.array(Preset), [])

/** Whether the settings of a session equal a preset. */
const isAsPreset = ({ system, parameters }: Settings, preset: Preset): boolean =>
  system === preset.system && JSON.stringify(parameters) === JSON.stringify(preset.parameters)
