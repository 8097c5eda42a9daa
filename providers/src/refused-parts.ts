import { isObject, type JsonObject } from '@tollgate/dialects'

import type { MemberPath } from './member-path'
import { withoutDeveloper, withoutMembersAt, withoutTools } from './refused'
import type { RefusedNames } from './refused-names'
import { resolvedPath } from './resolved-path'
import { renameMember, withMember, withoutMembers } from './shape'
import { betaLabel, betasIn, broughtBy, listedBetas } from './vendors/anthropic-betas'

/** Something of a request that an upstream refused, and that a request can do without. */
export type RefusedPart =
  | { readonly kind: 'member'; readonly path: MemberPath }
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'beta'; readonly beta: string }
  | { readonly kind: 'tool'; readonly type: string }
  | { readonly kind: 'developer' }

type Headers = Readonly<Record<string, string>>
interface SentRequest {
  readonly body: JsonObject
  readonly headers: Headers
}

const betaHeader = 'anthropic-beta'

/** A limit of the answer has two names in chats. */
const twins: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
}

/** Returns what of a request a refusal names and the request can do without; empty where that is nothing. */
export function refusedParts({ body, headers }: SentRequest, names: RefusedNames): readonly RefusedPart[] {
  const betas = [...betasIn(headers[betaHeader]), ...listedBetas(body)]
  return [
    ...betas
      .filter((beta) => names.betas === 'all' || names.betas.includes(beta))
      .map((beta) => ({ kind: 'beta', beta }) as const),
    ...names.tools.filter((type) => isSpare(body, type)).map((type) => ({ kind: 'tool', type }) as const),
    ...(names.isDeveloper && isDeveloping(body) ? [{ kind: 'developer' } as const] : []),
    ...names.members.flatMap((member) => memberPart(body, member)),
  ]
}

function memberPart(body: JsonObject, member: string): readonly RefusedPart[] {
  const to = twins[member]
  if (to !== undefined) return member in body && !(to in body) ? [{ kind: 'renamed', from: member, to }] : []
  const path = resolvedPath(body, member)
  return path === null ? [] : [{ kind: 'member', path }]
}

/** Returns whether the vendor would run a tool, and others stay without it. */
const isSpare = ({ tools }: JsonObject, type: string): boolean =>
  Array.isArray(tools) && tools.some((tool) => isOf(tool, type)) && tools.some((tool) => !isOf(tool, type))

const isOf = (tool: unknown, type: string): boolean =>
  isObject(tool) && tool['type'] === type && !clientMembers.some((name) => name in tool)
const clientMembers = ['input_schema', 'parameters', 'function', 'custom'] as const

const isDeveloping = ({ messages }: JsonObject): boolean =>
  Array.isArray(messages) && messages.some((message) => isObject(message) && message['role'] === 'developer')

/** Returns the body without these parts, named to `warn`. */
export const withoutParts = (
  body: JsonObject,
  parts: readonly RefusedPart[],
  warn: (what: string) => void,
): JsonObject => parts.reduce((current, part) => withoutPart(current, part, warn), body)

function withoutPart(body: JsonObject, part: RefusedPart, warn: (what: string) => void): JsonObject {
  if (part.kind === 'member') return withoutMembersAt(body, [part.path], warn)
  if (part.kind === 'renamed') return renameMember(body, part.from, part.to)
  if (part.kind === 'tool')
    return isSpare(body, part.type) ? withoutTools(body, (tool) => isOf(tool, part.type), warn) : body
  if (part.kind === 'developer') return withoutDeveloper(body)
  const betas = listedBetas(body)
  const left = withoutMembersAt(body, broughtBy(part.beta), warn)
  if (!betas.includes(part.beta)) return left
  warn(betaLabel(part.beta))
  const others = betas.filter((beta) => beta !== part.beta)
  return others.length === 0 ? withoutMembers(left, 'anthropic_beta') : withMember(left, 'anthropic_beta', others)
}

/** Returns the headers without the betas among these parts, named to `warn`. */
export function headersWithoutParts(
  headers: Record<string, string>,
  parts: readonly RefusedPart[],
  warn: (what: string) => void,
): Record<string, string> {
  const listed = betasIn(headers[betaHeader])
  const out = listed.filter((beta) => parts.some((part) => part.kind === 'beta' && part.beta === beta))
  if (out.length === 0) return headers
  for (const beta of out) warn(betaLabel(beta))
  const { [betaHeader]: _, ...others } = headers
  const remaining = listed.filter((beta) => !out.includes(beta))
  return remaining.length === 0 ? others : { ...others, [betaHeader]: remaining.join(',') }
}
