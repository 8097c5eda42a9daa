import { channelStatus, ownKeyHeader } from '@tollgate/contract'

import type { Account, ApiKey } from '../../accounts/callers/account'
import { callerLimits } from '../admission/caller-limits'
import { AppError } from '../../platform/app-error'
import { limitAddress } from '../../accounts/callers/limit-address'
import type { OwnLogin } from '../../channels/catalog/catalog'
import type { Limit } from '../../http/limits/limiter'
import { sha256 } from '../../platform/store/seal'
import type { Caller, IncomingCall, ModelCall } from '../call'
import type { RelayDeps } from '../call-context'
import { playgroundUser } from '../admission/playground'

type AuthenticationDeps = Pick<RelayDeps, 'ctx' | 'limiter'>

/** Wrong keys from one address. More than a program with a wrong key sends, which is remembered for seconds. */
const unknownKeys: Limit = { points: 100, durationSeconds: 60 }

/**
 * Resolves with the caller of a model call: the owner of its key, or the signed-in user of the playground.
 * @throws AppError as `keyCaller`, or of the `auth.` family, `playground.token`.
 */
export const authenticate = (call: ModelCall, deps: AuthenticationDeps): Promise<Caller> =>
  call.endpoint.auth === 'session' ? playgroundUser(call, deps.ctx) : keyCaller(call, deps)

/**
 * Returns the caller of a call whose key is in memory under its own name; null for any other call.
 * @throws AppError as `keyCaller`.
 */
export function callerInMemory(call: ModelCall, { ctx }: Pick<AuthenticationDeps, 'ctx'>): Caller | null {
  const { headers } = call.request
  if (call.endpoint.auth === 'session' || headers.has(ownKeyHeader)) return null
  const presented = presentedKey(headers, call.query)
  const key = presented && presented.secret !== '' ? ctx.accounts.keyInMemory(sha256(presented.secret)) : null
  return presented && key ? callerOf(key, presented.channel, call) : null
}

/**
 * Resolves with the key of a call and the user it belongs to. Makes no query when both are in memory; an address that has sent too many
 * wrong keys is refused look-ups.
 * @throws AppError `key.missing`, `key.invalid`, `key.own_login`, `rate.limited`, `caller.channel_pin`, `channel_pin.unknown`, `channel_pin.disabled`.
 */
export async function keyCaller(call: IncomingCall, deps: AuthenticationDeps): Promise<Caller> {
  const { headers } = call.request
  const presented = presentedKey(headers, call.query)
  if (!presented || presented.secret === '') throw new AppError('key.missing')
  const key = deps.ctx.accounts.keyInMemory(sha256(presented.secret))
  const caller = key ? callerOf(key, presented.channel, call) : await otherNamesCaller(presented, call, deps)
  if (!headers.has(ownKeyHeader)) return caller
  const ownLogin = await ownLoginIn(headers, call, deps)
  return ownLogin === null ? caller : (call.findings.caller = { ...caller, ownLogin })
}

/** Does the same for a key that is not in memory under its own name. */
async function otherNamesCaller(
  presented: PresentedKey,
  call: IncomingCall,
  deps: AuthenticationDeps,
): Promise<Caller> {
  const { accounts } = deps.ctx
  const names = namesOf(presented)
  const used = names.find(({ keyHash }) => accounts.keyInMemory(keyHash))
  if (used) return hashedKeyCaller(used.keyHash, used.channel, call, deps)
  const isUnknown = names.every(({ keyHash }) => accounts.keyInMemory(keyHash) === null)
  const { key, channel } = isUnknown ? unknownKey : await lookUp(names, call, deps)
  return callerOf(key, channel, call)
}

const unknownKey = { key: null, channel: null }

/** Returns the name under which a key is known that a caller has just presented. */
export function usedName(presented: PresentedKey, { ctx }: Pick<AuthenticationDeps, 'ctx'>): KeyName {
  const names = namesOf(presented)
  return names.find(({ keyHash }) => ctx.accounts.keyInMemory(keyHash)) ?? names[0]
}

/** What a key is looked up by, and the channel that is then named behind it. */
interface KeyName {
  readonly keyHash: string
  readonly channel: string | null
}

/**
 * Returns the names of a key, in the order in which they are tried. Keys that were imported may have dashes, and of LiteLLM's only the hash of
 * the whole text is known.
 */
function namesOf({ secret, channel, text }: PresentedKey): readonly [own: KeyName, ...others: KeyName[]] {
  const whole = [...(channel === null ? [] : [`${secret}-${channel}`]), ...(text.startsWith(prefix) ? [text] : [])]
  return [{ keyHash: sha256(secret), channel }, ...whole.map((name) => ({ keyHash: sha256(name), channel: null }))]
}

/** Resolves with the login that a client sends where keys usually are; null where there is none, or a key of this site. */
async function ownLoginIn(headers: Headers, call: IncomingCall, deps: AuthenticationDeps): Promise<OwnLogin | null> {
  const bearer = bearerOf(headers.get('authorization'))
  const value = bearer || headers.get('x-api-key')?.trim()
  if (!value) return null
  // A header that was sent twice arrives as one, and may hold a key of this site as well.
  if (!oneToken.test(value)) throw new AppError('key.own_login')
  // No vendor is shown a key of this site.
  if (!isVendorLogin(value) && (await isOwnKey(partsOf(value.replace(/^sk-/i, prefix)), deps))) return null
  return { dialect: call.dialect, header: bearer ? 'authorization' : 'x-api-key', value }
}

/** Without commas and spaces. https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
const oneToken = /^[\w.~+/:|-]+=*$/

/** What vendors' own clients send begins so; no key of this site does, and none is looked for. */
const isVendorLogin = (value: string): boolean => /^(?:sk-ant-|eyJ[\w-]*\.|ya29\.)/.test(value)

async function isOwnKey(presented: PresentedKey, { ctx: { accounts } }: AuthenticationDeps): Promise<boolean> {
  for (const { keyHash } of namesOf(presented)) {
    const known = accounts.keyInMemory(keyHash)
    if ((known === undefined ? await accounts.byKeyHash(keyHash) : known) !== null) return true
  }
  return false
}

/** Does the same for a key of which only the hash is known. */
export async function hashedKeyCaller(
  keyHash: string,
  channel: string | null,
  call: IncomingCall,
  deps: AuthenticationDeps,
): Promise<Caller> {
  const known = deps.ctx.accounts.keyInMemory(keyHash)
  if (known !== undefined) return callerOf(known, channel, call)
  const { key } = await lookUp([{ keyHash, channel }], call, deps)
  return callerOf(key, channel, call)
}

/** Resolves with the key that has the first of these names that is known. */
async function lookUp(names: readonly KeyName[], call: IncomingCall, { ctx, limiter }: AuthenticationDeps) {
  const count = `unknown-keys:${limitAddress(call.clientIp)}`
  const { allowed, retryAfterSeconds } = await limiter.peek(count, unknownKeys)
  if (!allowed) throw new AppError('rate.limited', { params: { seconds: retryAfterSeconds }, retryAfterSeconds })
  for (const { keyHash, channel } of names) {
    const key = await ctx.accounts.byKeyHash(keyHash)
    if (key) return { key, channel }
  }
  await limiter.consume(count, unknownKeys)
  return unknownKey
}

function callerOf(key: ApiKey | null, channel: string | null, { catalog, findings }: IncomingCall): Caller {
  if (!key || key.account.isDeleted) throw new AppError('key.invalid')
  const { windows, caps, plans } = callerLimits(key.account, key, catalog)
  const caller = {
    account: key.account,
    key,
    group: key.group || key.account.group,
    payer: { userId: key.account.id, tokenId: key.id, isTokenLimited: !key.isUnlimited, windows },
    caps,
    plans,
    tokenName: key.name,
    pinnedChannelId: null,
    ownLogin: null,
  }
  findings.caller = caller
  return channel === null ? caller : { ...caller, pinnedChannelId: pinnedChannel(channel, key.account, catalog) }
}

/** Returns the channel named at the end of a key, by which those who manage channels test one. */
function pinnedChannel(text: string, account: Account, catalog: IncomingCall['catalog']): number {
  if (!account.mayPinChannel) throw new AppError('caller.channel_pin')
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  const channel = catalog.channels.get(id)
  if (!channel) throw new AppError('channel_pin.unknown')
  if (channel.status !== channelStatus.enabled) throw new AppError('channel_pin.disabled')
  return id
}

/** The parts of an API key as a client sends it: `sk-<48 characters>-<channel id>`. */
interface PresentedKey {
  /** The part that is looked up: without the prefix and the channel. */
  readonly secret: string
  /** What follows the second dash, verbatim; null when there is none. */
  readonly channel: string | null
  /** All of it, as it was sent. */
  readonly text: string
}

const prefix = 'sk-'

/** Returns the key of a call, from any of the headers or parameters that SDKs put it in; null when there is none. */
export function presentedKey(headers: Headers, query: string): PresentedKey | null {
  const text =
    headers.get(ownKeyHeader) ||
    bearerOf(headers.get('authorization')) ||
    headers.get('x-api-key') ||
    headers.get('x-goog-api-key') ||
    headers.get('api-key') ||
    headers.get('mj-api-secret') ||
    keyIn(query) ||
    keyInProtocols(headers)
  return text ? partsOf(text.trim()) : null
}

/** What clients of midjourney-proxy send beside their secret, which is in a header of its own. */
const noKey = 'midjourney-proxy'

function bearerOf(authorization: string | null): string {
  if (!authorization || authorization === noKey) return ''
  return /^bearer\s/i.test(authorization) ? authorization.slice('bearer '.length).trim() : authorization.trim()
}

/** Google's clients, and those of Azure in browsers. */
function keyIn(query: string): string | null {
  if (!query.includes('key=')) return null
  const parameters = new URLSearchParams(query)
  return parameters.get('key') ?? parameters.get('api-key')
}

const protocolPrefix = 'openai-insecure-api-key.'

/** Browsers can set no header of a WebSocket but the protocols that it may speak. */
function keyInProtocols(headers: Headers): string | null {
  const protocols = headers.get('sec-websocket-protocol')?.split(',') ?? []
  const named = protocols.map((name) => name.trim()).find((name) => name.startsWith(protocolPrefix))
  return named?.slice(protocolPrefix.length) ?? null
}

function partsOf(text: string): PresentedKey {
  const bare = text.startsWith(prefix) ? text.slice(prefix.length) : text
  const dash = bare.indexOf('-')
  if (dash < 0) return { secret: bare, channel: null, text }
  return { secret: bare.slice(0, dash), channel: bare.slice(dash + 1), text }
}
