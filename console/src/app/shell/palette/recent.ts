import * as z from 'zod'

import { useViewer } from '../../../lib/api/session'
import { storedValue, useStored } from '../../../lib/browser/storage'
import { commandKinds, type Command } from './command'

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
export type RecentCommand = z.output<typeof Recent>['commands'][number]

const storedRecent = storedValue('palette-recent', Recent.nullable(), null)

/** Remembers the reader's latest choices, most recent first. */
export function useRecent() {
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
