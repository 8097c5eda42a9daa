import { useDebouncedValue } from '@mantine/hooks'
import { IconHistory } from '@tabler/icons-react'
import * as z from 'zod'

import { type Command, type CommandKind, commandKinds } from './command'
import { matching } from './matching'
import {
  useCallCommands,
  useChannelCommands,
  useModelCommands,
  useTokenCommands,
  useUserCommands,
} from './use-found-commands'
import { useActionCommands, usePageCommands } from './use-own-commands'
import { useSettingCommands } from './use-setting-commands'
import { useViewer } from '../../../lib/api/session'
import { StoredValue, useStored } from '../../../lib/browser/stored-value'

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

const mostRecent = 6

const Recent = z.object({
  user: z.number().int(),
  commands: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(commandKinds),
      label: z.string(),
      hint: z.string().optional(),
      /** For records. Pages and actions are found again by their ids. */
      does: z
        .object({ to: z.string(), search: z.record(z.string(), z.union([z.string(), z.number()])).optional() })
        .optional(),
    }),
  ),
})
type RecentCommand = z.output<typeof Recent>['commands'][number]

const storedRecent = new StoredValue('palette-recent', Recent.nullable(), null)

/** Remembers the reader's latest choices, most recent first. */
function useRecent() {
  const { user } = useViewer()
  const [recent, setRecent] = useStored(storedRecent)
  const commands = recent !== null && recent.user === user?.id ? recent.commands : []
  const remember = ({ id, kind, label, hint, does }: Command) => {
    if (!user) return
    const entry = { id, kind, label, hint, does: typeof does === 'function' ? undefined : does }
    const others = commands.filter((known) => known.id !== id)
    setRecent({ user: user.id, commands: [entry, ...others].slice(0, mostRecent) })
  }
  return { commands, remember }
}
