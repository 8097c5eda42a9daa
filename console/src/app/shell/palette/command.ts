import type { Icon } from '@tabler/icons-react'

/** What commands lead to, in the order in which they are shown. */
export const commandKinds = ['call', 'page', 'action', 'model', 'token', 'channel', 'user', 'setting'] as const
export type CommandKind = (typeof commandKinds)[number]

/** A page with what its address holds. */
interface Destination {
  readonly to: string
  readonly search?: Readonly<Record<string, string | number>>
}

/** Something that can be gone to or done. */
export interface Command {
  /** The same whenever the command is offered. */
  readonly id: string
  readonly kind: CommandKind
  readonly label: string
  readonly hint?: string
  readonly icon: Icon
  readonly does: Destination | (() => void)
}
