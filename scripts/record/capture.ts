import { dialects, isObject, parsedObject, type DialectId, type JsonObject, type Usage } from '../../dialects/src/index'
import type { Provider } from '../../providers/src/provider'
import { describedBy, ModeSelector } from '../../providers/src/vendors/fixture'
import type { VendorAccount } from '../vendor-calls/account'
import { callVendor, type VendorResponse } from '../vendor-calls/call-vendor'
import { ownerMembers, redact } from '../vendor-calls/redact'
import { embeddingCall, plainCall, streamCall, toolCall, type SmallCall } from '../vendor-calls/small-calls'

/** The members of a fixture that hold what a vendor responds. */
export interface Captured extends Reading {
  readonly stream: string
  readonly streamUsage: JsonObject
  /** Responses of other kinds: a tool call, embeddings. */
  readonly others: readonly OtherReading[]
  /** Absent where the vendor's refusal cannot stand in a fixture: it has status 200, or is not JSON. */
  readonly error?: {
    readonly source: Recorded
    readonly status: number
    readonly body: JsonObject
    readonly message: string
  }
  readonly modelList?: JsonObject
}

/** As fixtures have it. */
interface Reading extends Readonly<Record<'answer', JsonObject>> {
  readonly source: Recorded
  readonly usage: JsonObject | null
}

/** A response with the kind of call that it answers. */
interface OtherReading extends Reading {
  readonly way: { readonly mode: 'chat' | 'embeddings'; readonly model: string }
}

interface Recorded {
  readonly kind: 'recorded'
  readonly on: string
}

const unknownModel = 'a-model-that-does-not-exist'

/**
 * Makes a whole chat call, a streamed one, one with a tool, one for an unknown model, one for embeddings and one for the models, as far as
 * the vendor has them, and returns the redacted responses.
 * @throws Error when the vendor serves no chats, or refuses one.
 */
export async function capture(provider: Provider, account: VendorAccount, now: Date): Promise<Captured> {
  const source = { kind: 'recorded', on: now.toISOString().slice(0, 10) } as const
  const call = (small: SmallCall, model = account.model) => callVendor(provider, account, small, model)
  const whole = requireGood(await call(plainCall), 'a chat')
  const streamed = requireGood(await call(streamCall), 'a stream')
  const error = errorOf(source, await call(plainCall, unknownModel))
  const tool = await call(toolCall)
  const { embeddingModel } = account
  const vectors = embeddingModel === null ? null : await call(embeddingCall, embeddingModel)
  const list = await modelList(provider, account).catch(() => null)
  return {
    ...readingOf(source, whole),
    stream: streamed.text,
    streamUsage: usageParts(usageOfStream(streamed.dialect, streamed.text)) ?? {},
    others: [
      // Some models call no tools.
      ...(tool.isOk ? [{ ...readingOf(source, tool), way: { mode: 'chat' as const, model: account.model } }] : []),
      ...(vectors?.isOk && embeddingModel
        ? [{ ...readingOf(source, vectors), way: { mode: 'embeddings' as const, model: embeddingModel } }]
        : []),
    ],
    ...(error && { error }),
    ...(list && { modelList: { source, ...list } }),
  }
}

/** Returns a fixture with what was captured; what it has of other kinds of calls, or in another dialect of the vendor, stays. */
export function withCaptured(
  provider: Provider,
  account: VendorAccount,
  known: JsonObject,
  captured: Captured,
): JsonObject {
  const { model } = account
  const selector = { mode: 'chat', model, key: account.key, other: account.other } as const
  const isUsual = describedBy(provider, selector).dialect === describedBy(provider, selectorOf(known)).dialect
  const { others: taken, ...usual } = captured
  const { source, answer, usage, stream, streamUsage } = usual
  const recordedChat = { way: { mode: 'chat', model } as const, source, answer, usage, stream, streamUsage }
  const added = isUsual ? taken : [recordedChat, ...taken]
  const others = Array.isArray(known['others']) ? known['others'] : []
  const retained = others.filter((other: unknown) => !added.some((one) => isSameKind(other, one)))
  return { ...known, ...(isUsual && usual), others: [...retained, ...added] }
}

const selectorOf = ({ way }: JsonObject) => ModeSelector.parse(way ?? { mode: 'chat' })

/** What was documented stays, and so do chats of other dialects, which were invented. */
function isSameKind(other: unknown, { way: { mode } }: Pick<OtherReading, 'way'>): boolean {
  if (!isObject(other) || !isObject(other['way']) || !isObject(other['source'])) return false
  const { kind } = other['source']
  return other['way']['mode'] === mode && (kind === 'recorded' || (kind === 'invented' && mode !== 'chat'))
}

function requireGood(response: VendorResponse, what: string): VendorResponse {
  if (response.isOk) return response
  throw new Error(`The vendor responded to ${what} with ${response.status}: ${response.text}`)
}

function errorOf(source: Recorded, { dialect, isOk, status, text }: VendorResponse): Captured['error'] {
  const body = parsedObject(text)
  return isOk || !body
    ? undefined
    : { source, status, body, message: dialects[dialect].readError(status, text).message }
}

function readingOf(source: Recorded, { dialect, text }: VendorResponse): Reading {
  const reply = objectIn(text)
  return { source, answer: reply, usage: usageParts(dialects[dialect].readAnswer(reply).usage) }
}

async function modelList({ modelList: call }: Provider, { baseUrl, key, other }: VendorAccount) {
  if (call === undefined) return null
  const { url, headers } = call.request({ baseUrl, key, other })
  const response = await fetch(url, { headers })
  const reply = shortList(JSON.parse(redact(await response.text(), key, ownerMembers)))
  const shown = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll(key, 'key-1')]),
  )
  return { url: url.replaceAll(key, 'key-1'), headers: shown, baseUrl, answer: reply, models: call.parse(reply) }
}

/** A few models are enough, without those that the owner of the account has trained and named. */
const maxListed = 5
const ownModel = /"ft:/

const shortList = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter((item) => !ownModel.test(JSON.stringify(item))).slice(0, maxListed)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, Array.isArray(member) ? shortList(member) : member]),
  )
}

function objectIn(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new Error('The vendor responded with something else than a JSON object')
  return value
}

function usageOfStream(id: DialectId, text: string): Usage | null {
  const tap = dialects[id].createTap({ swallowUsage: false, addUsage: false })
  tap.push(new TextEncoder().encode(text))
  tap.end()
  return tap.usage
}

/** What of a usage a fixture states. */
function usageParts(usage: Usage | null): JsonObject | null {
  if (usage === null) return null
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = usage
  return {
    promptTokens,
    completionTokens,
    ...(cachedTokens > 0 && { cachedTokens }),
    ...(reasoningTokens > 0 && { reasoningTokens }),
  }
}
