import { Divider, Stack } from '@mantine/core'

import { useChat, useSession } from '../hooks/chat-context'
import { lastSettings, type Settings } from '../session/settings'
import { GroupField } from './group-field'
import { ParameterFields } from './parameter-fields'
import { SystemField } from './system-field'

/** What goes with every question of the session, and with the first of the next one. */
export function SettingsPanel() {
  const chat = useChat()
  const settings = useSession((session) => session.settings)
  const change = (part: Partial<Settings>) => {
    chat.dispatch({ kind: 'settings-changed', change: part })
    lastSettings.set(chat.get().settings)
  }
  return (
    <Stack gap="md">
      <GroupField group={settings.group} onChange={(group) => change({ group })} />
      <SystemField system={settings.system} onChange={(system) => change({ system })} />
      <Divider />
      <ParameterFields
        parameters={settings.parameters}
        onChange={(part) => change({ parameters: { ...settings.parameters, ...part } })}
      />
    </Stack>
  )
}
