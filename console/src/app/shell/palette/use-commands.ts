import { useDebouncedValue } from '@mantine/hooks'
import { IconHistory } from '@tabler/icons-react'

import { commandKinds, type Command, type CommandKind } from './command'
import { matching } from './matching'
import { useRecent, type RecentCommand } from './recent'
import {
  useCallCommands,
  useChannelCommands,
  useModelCommands,
  useTokenCommands,
  useUserCommands,
} from './use-found-commands'
import { useActionCommands, usePageCommands } from './use-own-commands'
import { useSettingCommands } from './use-setting-commands'

/** Delay after the last key before the server is asked. */
const typingMs = 200

const maxSettings = 8

interface CommandGroup {
  readonly name: 'recent' | CommandKind
  readonly commands: readonly Command[]
}

interface Commands {
  readonly groups: readonly CommandGroup[]
  /** Some responses of the server are pending. */
  readonly isSearching: boolean
  /** Called with the chosen command. */
  readonly remember: (command: Command) => void
}

/** Returns the commands that match the query, in groups. For an empty query: recent choices, actions and pages. */
export function useCommands(query: string, onShortcuts: () => void): Commands {
  const typed = query.trim()
  const [settled] = useDebouncedValue(typed, typingMs)
  const pages = usePageCommands()
  const actions = useActionCommands(onShortcuts)
  const settings = useSettingCommands(typed)
  const found = {
    call: useCallCommands(settled),
    model: useModelCommands(typed),
    token: useTokenCommands(settled),
    channel: useChannelCommands(settled),
    user: useUserCommands(settled),
  }
  const recent = useRecent()
  const commands: Readonly<Record<CommandKind, readonly Command[]>> = {
    call: found.call.commands,
    page: matching(pages, typed),
    action: matching(actions, typed),
    model: found.model.commands,
    token: found.token.commands,
    channel: found.channel.commands,
    user: found.user.commands,
    setting: settings.slice(0, maxSettings),
  }
  const groups = commandKinds.map((name): CommandGroup => ({ name, commands: commands[name] }))
  const isSearching = typed !== settled || Object.values(found).some((one) => one.isSearching)
  const { remember } = recent
  if (typed !== '') return { groups, isSearching, remember }
  const known = [...pages, ...actions]
  return {
    groups: [
      { name: 'recent', commands: recent.commands.flatMap((one) => again(one, known)) },
      // What to begin comes before where to go.
      { name: 'action', commands: actions },
      { name: 'page', commands: pages },
    ],
    isSearching: false,
    remember,
  }
}

/** Returns a previously chosen command if it is still offered. */
function again({ id, kind, label, hint, does }: RecentCommand, known: readonly Command[]): Command[] {
  if (does && kind !== 'page' && kind !== 'action') return [{ id, kind, label, hint, does, icon: IconHistory }]
  const own = known.find((command) => command.id === id)
  return own ? [own] : []
}
