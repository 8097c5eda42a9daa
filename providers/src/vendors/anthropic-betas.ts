import type { JsonObject } from '@tollgate/dialects'

import { memberPaths, type MemberPath } from '../member-path'
import type { Target } from '../provider'
import { withoutMembersAt } from '../refused'
import { type Change, withMember, withoutMembers } from '../shape'

/** The betas that a vendor takes, with the name that it has for each. */
export type Betas = ReadonlyMap<string, string>

/** Lists the betas that a vendor takes, and those that it has under another name. */
export const takes = (names: readonly string[], others: Readonly<Record<string, string>> = {}): Betas =>
  new Map([...names.map((name) => [name, name] as const), ...Object.entries(others)])

/** Where requests mark what is cached. */
export const cacheMarks: readonly string[] = [
  'cache_control',
  'system[].cache_control',
  'tools[].cache_control',
  'messages[].content[].cache_control',
  'messages[].content[].content[].cache_control',
]

/** What a request may only have with a beta, by the beta's name without its date. https://platform.claude.com/docs/en/api/beta-headers */
const membersOf: Readonly<Record<string, readonly MemberPath[]>> = {
  'prompt-caching-scope': memberPaths(...cacheMarks.map((mark) => `${mark}.scope`)),
  'context-management': memberPaths('context_management'),
  'fast-mode': memberPaths('speed'),
  'mcp-client': memberPaths('mcp_servers'),
  'task-budgets': memberPaths('output_config.task_budget'),
}

const withoutDate = (beta: string): string => beta.replace(/-\d{4}-?\d{2}-?\d{2}$/, '')

/** Returns the members that a beta brings. */
export const broughtBy = (beta: string): readonly MemberPath[] => membersOf[withoutDate(beta)] ?? []

/** Returns the betas in a header. */
export const betasIn = (header = ''): readonly string[] =>
  header
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** Returns those of the betas that a vendor takes, under its names. */
export const takenBetas = (betas: readonly string[], taken: Betas): readonly string[] => [
  ...new Set(betas.flatMap((beta) => taken.get(beta) ?? [])),
]

/** Returns what the header says once it has only betas that a vendor takes; nothing where none is left. */
export const betaHeader = (
  { dialectHeaders }: Pick<Target, 'dialectHeaders'>,
  taken: Betas,
): Record<string, string> => {
  const betas = takenBetas(betasIn(dialectHeaders?.['anthropic-beta']), taken)
  return betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') }
}

/** Leaves out the betas that a vendor does not take, with the members that they bring, and names both. */
export function withTakenBetas(taken: Betas): Change {
  const families = new Set([...taken.keys()].map(withoutDate))
  const refused = Object.entries(membersOf).flatMap(([family, members]) => (families.has(family) ? [] : members))
  return (body, { dialectHeaders }, warn) => {
    const listed = listedBetas(body)
    for (const beta of [...betasIn(dialectHeaders?.['anthropic-beta']), ...listed])
      if (!taken.has(beta)) warn(betaLabel(beta))
    return withListed(withoutMembersAt(body, refused, warn), listed, takenBetas(listed, taken))
  }
}

export const betaLabel = (beta: string): string => `the beta ${beta.slice(0, 100)}`

/** Clouds have betas in the body too. */
export function listedBetas({ anthropic_beta: betas }: JsonObject): readonly string[] {
  return Array.isArray(betas) ? betas.filter((beta) => typeof beta === 'string') : []
}

function withListed(body: JsonObject, listed: readonly string[], left: readonly string[]): JsonObject {
  if (left.length === listed.length && left.every((beta, index) => beta === listed[index])) return body
  return left.length === 0 ? withoutMembers(body, 'anthropic_beta') : withMember(body, 'anthropic_beta', left)
}
