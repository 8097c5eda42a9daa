import type { Icon } from '@tabler/icons-react'

/** Kinds of commands in display order. */
export const commandKinds = ['call', 'page', 'action', 'model', 'token', 'channel', 'user', 'setting'] as const
export type CommandKind = (typeof commandKinds)[number]

/** A page with its search parameters. */
interface Destination {
  readonly to: string
  readonly search?: Readonly<Record<string, string | number>>
}

/** A destination or an action. */
export interface Command {
  /** Stable whenever the command is offered. */
  readonly id: string
  readonly kind: CommandKind
  readonly label: string
  readonly hint?: string
  readonly icon: Icon
  readonly does: Destination | (() => void)
}
