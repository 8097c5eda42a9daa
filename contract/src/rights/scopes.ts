import { grants, isGrant, type Grant } from './rights'

/** What an access token may do with its owner's own things. A session may do all of it. */
export const ownScopes = [
  /** The account, its balance, statement, messages, sessions and API tokens, whose keys are masked. */
  'self.read',
  /** The account and its settings, what it redeems and pays, messages, tasks, sessions and access tokens. */
  'self.write',
  /** API tokens: create, change, rotate and delete them. */
  'tokens.write',
  /** The keys of API tokens where they are listed and read. */
  'tokens.keys',
  /** The calls of the account: usage log, sums, tasks and their results. */
  'calls',
] as const
export type OwnScope = (typeof ownScopes)[number]

const own: ReadonlySet<string> = new Set(ownScopes)
export const isOwnScope = (name: string): name is OwnScope => own.has(name)

/** What an access token can be narrowed to. */
export type TokenScope = Grant | OwnScope
export const tokenScopes: readonly TokenScope[] = [...ownScopes, ...grants]
export const isTokenScope = (name: string): name is TokenScope => isOwnScope(name) || isGrant(name)
