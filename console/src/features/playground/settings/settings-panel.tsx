import { Button, Divider, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'

import { ChoiceSelect } from '../../../components/fields/choice-select'
import { useTranslation } from '../../../lib/text/i18n'
import { useChat, useSession } from '../hooks/chat-context'
import { lastSettings, type Parameters, type Settings } from '../session/settings'
import { ParameterFields } from './parameter-fields'
import { PresetMenu } from './preset-menu'
import { OwnGroupSelect } from '../../../components/combobox/group-select'
import { useKnownChoices } from '../hooks/use-choices'

/** Settings sent with every question of the session, and the defaults of the next one. */
export function SettingsPanel() {
  const chat = useChat()
  const settings = useSession((session) => session.settings)
  const change = (part: Partial<Settings>) => {
    chat.dispatch({ kind: 'settings-changed', change: part })
    lastSettings.set(chat.get().settings)
  }
  return (
    <Stack gap="md">
      <PresetMenu settings={settings} onChange={change} />
      <GroupField group={settings.group} onChange={(group) => change({ group })} />
      <SystemField system={settings.system} onChange={(system) => change({ system })} />
      <Divider />
      <LaneParameters parameters={settings.parameters} onChange={(parameters) => change({ parameters })} />
    </Stack>
  )
}

interface LaneParametersProps {
  /** Parameters of the session. */
  readonly parameters: Parameters
  readonly onChange: (parameters: Parameters) => void
}

/** Parameters of all models, or those of a single lane. */
function LaneParameters({ parameters, onChange }: LaneParametersProps) {
  const { t } = useTranslation('playground')
  const chat = useChat()
  const lanes = useSession((session) => session.lanes)
  const [laneId, setLaneId] = useState<string | null>(null)
  const lane = lanes.length > 1 ? lanes.find(({ id }) => id === laneId) : undefined
  const shown = lane?.parameters ?? parameters
  const setOwn = (own: Parameters | undefined) =>
    lane && chat.dispatch({ kind: 'lane-changed', laneId: lane.id, change: { parameters: own } })
  return (
    <Stack gap="sm">
      {lanes.length > 1 && (
        <ChoiceSelect
          label={t('setting.parametersOf')}
          choices={[
            { value: '', label: t('setting.allModels') },
            ...lanes.map(({ id, model, parameters: own }) => ({
              value: id,
              label: own ? t('setting.ownOf', { model }) : model,
            })),
          ]}
          value={lane?.id ?? ''}
          onChange={(id) => setLaneId(id || null)}
        />
      )}
      <ParameterFields
        parameters={shown}
        onChange={(part) => (lane ? setOwn({ ...shown, ...part }) : onChange({ ...shown, ...part }))}
      />
      {lane?.parameters && (
        <Group justify="flex-end">
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setOwn(undefined)}>
            {t('setting.sameAsOthers')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface GroupFieldProps {
  /** Empty: the reader's own. */
  readonly group: string
  readonly onChange: (group: string) => void
}

/** The group, which decides channels and prices. */
function GroupField({ group, onChange }: GroupFieldProps) {
  const { t } = useTranslation('playground')
  const { ownGroup } = useKnownChoices()
  return (
    <OwnGroupSelect
      label={t('setting.group')}
      value={group || ownGroup || null}
      onChange={(next) => next !== null && onChange(next)}
    />
  )
}

interface SystemFieldProps {
  /** Null: the default. */
  readonly system: string | null
  readonly onChange: (system: string | null) => void
}

/** The system prompt. */
function SystemField({ system, onChange }: SystemFieldProps) {
  const { t } = useTranslation('playground')
  return (
    <div>
      <Textarea
        label={t('setting.system')}
        placeholder={t('setting.noSystem')}
        autosize
        minRows={3}
        maxRows={12}
        value={system ?? t('system.default')}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {system !== null && (
        <Group justify="flex-end" mt={4}>
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => onChange(null)}>
            {t('setting.resetSystem')}
          </Button>
        </Group>
      )}
    </div>
  )
}
