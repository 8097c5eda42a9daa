import {
  DialectError,
  inputItems,
  objectNames,
  outputItems,
  withEarlierItems,
  type JsonObject,
  type ObjectName,
} from '@tollgate/dialects'

import { bodyOf, type ParsedBody } from '../../channels/calls/parsed-body'
import { conversationItems, findConversation, type Conversation } from '../../channels/turns/conversations'
import type { Thread, Turn } from '../../channels/turns/turns'
import type { Context } from '../../context'
import type { Room } from '../../http/limits/byte-budget'
import { AppError } from '../../platform/app-error'
import { namesFiles } from '../../tasks/files/file-store'
import type { CallView } from '../admission/call-view'
import { mayHoldCompaction, withSummaries } from '../compaction/compaction-item'
import { ownerOf, type Caller, type ModelCall } from '../call'
import { accessObjects, type ObjectAccess } from '../objects/object-access'
import { admitRequest } from '../stages/admit'
import { mayHoldReferences, resolveReferences, withoutReferences, type ResolvedRequest } from './item-references'
import { tooLarge, type EarlierItems, type OpenTurn } from './open-turn'

/** A request with what it may use of earlier ones. */
export interface AdmittedRequest {
  /** With the items of earlier turns, where these are kept here. */
  readonly body: ParsedBody
  readonly view: CallView
  /** What it may use of the accounts of vendors; null: it names nothing of them. */
  readonly objects: ObjectAccess | null
  /** Null: it neither goes on from a turn nor is stored as one. */
  readonly turn: OpenTurn | null
}

interface TurnRequest {
  readonly call: ModelCall
  readonly caller: Caller
  readonly body: ParsedBody
  /** What its client sent besides references, in place of which the body has items. Absent: that is the body. */
  readonly sent?: JsonObject
  /** For files that are put into the request. Absent: they are there already. */
  readonly room?: Room
  readonly ctx: Context
}

/**
 * Reads a request in its dialect, with what it names of earlier ones. Where a vendor keeps an earlier response and its account serves the
 * model, its id is passed on; otherwise the items of all turns before are put into the body.
 * @throws AppError as `admitRequest`, of the `object.` and `turn.` families; DialectError; DatabaseUnavailableError.
 */
export function admitTurn(request: TurnRequest): Promise<AdmittedRequest> {
  const { call, body } = request
  if (call.dialect !== 'openai-responses' || !call.catalog.options.ResponseTurnsEnabled)
    return admitAlone(request, null)
  return mayHoldReferences(body) ? admitReferring(request) : admitOpen(request, null)
}

/**
 * Does what `admitTurn` does for a request that names nothing, neither turns nor objects; null for any other.
 * @throws as `admitTurn` does.
 */
export function admitNow(request: TurnRequest): AdmittedRequest | null {
  const { call, caller, body, ctx } = request
  if (call.dialect === 'openai-responses' || objectNames(body.json).length > 0) return null
  return { body, view: admitRequest(call, caller, body, ctx), objects: null, turn: null }
}

/**
 * Reads a request with references to items. Those that no vendor knows are put into the body, and all of them where what a vendor knows is out
 * of reach of the model.
 */
async function admitReferring(request: TurnRequest): Promise<AdmittedRequest> {
  const unknown = await resolveReferences(request, { isAll: false })
  try {
    return await admitResolved(request, unknown)
  } catch (error) {
    if (!isLostItem(error)) throw error
    const all = await resolveReferences(request, { isAll: true })
    if (all === null) throw error
    return admitResolved(request, all)
  }
}

const admitResolved = (request: TurnRequest, resolved: ResolvedRequest | null): Promise<AdmittedRequest> =>
  resolved === null
    ? admitOpen(request, null)
    : admitOpen({ ...request, body: resolved.body, sent: withoutReferences(request.body.json) }, resolved.input)

async function admitOpen(request: TurnRequest, resolved: OpenTurn['resolved']): Promise<AdmittedRequest> {
  const { body } = request
  const isStored = readStore(body.json)
  const isNamed = isSet(body.json['previous_response_id']) || isSet(body.json['conversation'])
  if (!isStored && !isNamed && resolved === null) return admitAlone(request, null)
  const turn = { isStored, input: inputItems(body.json), resolved, previousId: null, conversation: null, earlier: null }
  return isNamed ? goOn(request, turn) : admitAlone(request, turn)
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null

/** Whatever is not clearly wanted must not be stored. @throws DialectError */
function readStore({ store = null }: JsonObject): boolean {
  if (store === null || typeof store === 'boolean') return store !== false
  throw new DialectError('store', 'invalid_type', "Invalid type for 'store': expected a boolean.")
}

type SelectNames = (names: readonly ObjectName[]) => readonly ObjectName[]

/** Reads a request with what it names and the gateway has. `select`: those of its names that matter. */
async function admitAlone(
  request: TurnRequest,
  turn: OpenTurn | null,
  select: SelectNames = request.sent ? selectOwn(request) : (names) => names,
): Promise<AdmittedRequest> {
  const { call, caller, ctx } = request
  let body = withOwnSummaries(request)
  let names = objectNames(body.json)
  if (names.length > 0 && call.catalog.options.FilesEnabled && namesFiles(names)) {
    const { withFiles } = await import('../files/inline-files')
    body = await withFiles(body, caller, ctx, request.room)
    names = objectNames(body.json)
  }
  const view = admitRequest(call, caller, body, ctx)
  const named = names.length === 0 ? names : select(names)
  if (named.length === 0) return { body, view, objects: null, turn }
  const access = await accessObjects(named, { ...call, caller, view }, body, ctx)
  return { body, view: access.view, objects: access.objects, turn }
}

/** Returns a request with the summaries of conversations that were made here. */
const withOwnSummaries = ({ call, caller, body, ctx }: TurnRequest): ParsedBody =>
  call.dialect === 'openai-responses' && mayHoldCompaction(body)
    ? withSummaries(body, caller.account.id, ctx.seal)
    : body

async function goOn(request: TurnRequest, turn: OpenTurn): Promise<AdmittedRequest> {
  const { previous_response_id: previous, conversation: named } = request.body.json
  if (isSet(previous) && isSet(named)) throw exclusive()
  if (isSet(named)) return inConversation(request, turn, named)
  // Anything but a text is refused.
  if (typeof previous !== 'string') return admitAlone(request, turn)
  return goOnFrom(request, { ...turn, previousId: previous }, previous)
}

const exclusive = (): DialectError =>
  new DialectError(
    'conversation',
    'invalid_value',
    "Mutually exclusive parameters: 'conversation' and 'previous_response_id'. Name one of them.",
  )

async function goOnFrom(request: TurnRequest, turn: OpenTurn, id: string): Promise<AdmittedRequest> {
  if (!(await isAtVendor(request, id))) {
    const thread = await threadTo(request, id)
    if (thread.kind !== 'none') return admitThread(request, turn, thread)
  }
  try {
    return await admitAlone(request, turn)
  } catch (error) {
    if (!isLost(error)) throw error
    const thread = await threadTo(request, id)
    if (thread.kind === 'none') throw error
    return admitThread(request, turn, thread)
  }
}

/** Returns whether a vendor keeps a response of the caller's, in the account that a caller names where there is one. */
async function isAtVendor({ caller, ctx }: TurnRequest, id: string): Promise<boolean> {
  const stored = (await ctx.vendorObjects.ofOwner(ownerOf(caller), [id])).get(id)
  const { pinnedChannelId } = caller
  return stored !== undefined && (pinnedChannelId === null || pinnedChannelId === stored.channelId)
}

const lostCodes: ReadonlySet<string> = new Set(['object.response_none', 'object.response_gone', 'object.away'])
const isLost = (error: unknown): boolean => error instanceof AppError && lostCodes.has(error.code)
const lostItemCodes: ReadonlySet<string> = new Set(['object.none', 'object.gone', 'object.away', 'object.split'])
const isLostItem = (error: unknown): boolean => error instanceof AppError && lostItemCodes.has(error.code)

/** Resolves with the turns to a response, of which the request has room for as many bytes as a client may send. */
export const threadTo = (
  { caller, body, ctx }: Pick<TurnRequest, 'caller' | 'body' | 'ctx'>,
  id: string,
): Promise<Thread> =>
  ctx.turns.threadTo(ownerOf(caller), id, Math.max(0, ctx.config.maxRequestBodyBytes - body.text.length))

export function admitThread(request: TurnRequest, turn: OpenTurn, thread: Thread): Promise<AdmittedRequest> {
  const id = turn.previousId ?? ''
  return admitWith(request, turn, earlierItems(thread, id, request.ctx))
}

/** Returns the items of a thread. @throws AppError `turn.broken`, `request.too_large`. */
export function earlierItems(thread: Thread, id: string, ctx: Pick<Context, 'config'>): readonly EarlierItems[] {
  if (thread.kind === 'too-large') throw tooLarge(ctx)
  if (thread.kind !== 'whole') throw new AppError('turn.broken', { params: { id: id.slice(0, 100) } })
  return thread.turns.map(itemsOf)
}

const itemsOf = ({ origin, input, response }: Turn): EarlierItems => ({
  origin,
  items: [...input, ...outputItems(response)],
})

async function inConversation(request: TurnRequest, turn: OpenTurn, named: unknown): Promise<AdmittedRequest> {
  const conversation = await namedConversation(request, named)
  // It may be one of a vendor's.
  if (conversation === null) return admitAlone(request, turn)
  return admitWith(request, { ...turn, conversation }, await itemsIn(conversation, request.ctx))
}

/** Resolves with the conversation that a request names, where it is kept here. */
export async function namedConversation(
  { caller, ctx }: Pick<TurnRequest, 'caller' | 'ctx'>,
  named: unknown,
): Promise<Conversation | null> {
  const id = typeof named === 'object' && named !== null && 'id' in named ? named.id : named
  return typeof id === 'string' ? findConversation(ctx, ownerOf(caller), id) : null
}

/** Resolves with the items of a conversation. @throws AppError `request.too_large`. */
export async function itemsIn(conversation: Conversation, ctx: Context): Promise<readonly EarlierItems[]> {
  if (conversation.bytes > ctx.config.maxRequestBodyBytes) throw tooLarge(ctx)
  const entries = await conversationItems(ctx, conversation)
  return entries.map(({ origin, items }) => ({ origin, items: items.map(({ item }) => item) }))
}

/** Reads a request with the items of earlier turns before its own. */
function admitWith(request: TurnRequest, open: OpenTurn, earlier: readonly EarlierItems[]): Promise<AdmittedRequest> {
  const body = withEarlier(request.body, earlier, request.ctx)
  return admitAlone({ ...request, body }, { ...open, earlier }, selectOwn(request))
}

/** What earlier items name besides what they say, as reasoning that a vendor keeps, does not bind the request to its account. */
function selectOwn({ sent, body }: TurnRequest): SelectNames {
  const own = new Set(objectNames(sent ?? body.json).map(({ id }) => id))
  return (names) => names.filter(({ id, isRedundant, isSealed }) => !isRedundant || isSealed || own.has(id))
}

/** Returns a body with these items before its own. @throws AppError `request.too_large`. */
export function withEarlier(
  body: ParsedBody,
  earlier: readonly EarlierItems[],
  ctx: Pick<Context, 'config'>,
): ParsedBody {
  const whole = bodyOf(
    withEarlierItems(
      body.json,
      earlier.flatMap(({ items }) => items),
    ),
  )
  if (whole.text.length > ctx.config.maxRequestBodyBytes) throw tooLarge(ctx)
  body.room?.hold(whole.text.length * 2)
  return { ...body, ...whole }
}
