import { isObject, type JsonObject } from '@tollgate/dialects'

import {
  changeMetadata,
  conversationItems,
  findConversation,
  removeConversation,
  removeItem,
  type Conversation,
  type ConversationItem,
} from '../../channels/turns/conversations'
import { newResponseId } from '../../http/request/request-id'
import { AppError } from '../../platform/app-error'
import { readJsonBody } from '../admission/read-body'
import { checkRates, countSuccess } from '../admission/rate-limits'
import { ownerOf, type Caller, type IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import { admitCaller } from '../stages/admit'
import { keyCaller } from '../stages/authenticate'
import { readMetadata } from '../tasks/read-metadata'
import { maxIdLength, readingCaller } from '../tasks/task-call'
import type { TaskEndpoint } from '../tasks/task-endpoint'
import { itemList, shownItem } from './item-list'
import { namedItems } from './keep-turn'
import { tooLarge } from './open-turn'
import { minReadBytes, readFactor } from './stored-response'

/** OpenAI's calls for conversations. https://platform.openai.com/docs/api-reference/conversations */
export const conversationCalls: readonly TaskEndpoint[] = [
  { method: 'POST', path: /^$/, respond: create },
  { method: 'GET', path: /^\/([^/]+)$/, respond: retrieve },
  { method: 'POST', path: /^\/([^/]+)$/, respond: update },
  { method: 'DELETE', path: /^\/([^/]+)$/, respond: remove },
  { method: 'POST', path: /^\/([^/]+)\/items$/, respond: createItems },
  { method: 'GET', path: /^\/([^/]+)\/items$/, respond: listItems },
  { method: 'GET', path: /^\/([^/]+)\/items\/[^/]+$/, respond: retrieveItem },
  { method: 'DELETE', path: /^\/([^/]+)\/items\/[^/]+$/, respond: deleteItem },
]

/** Items that are added at one time. */
const maxItems = 20

async function create(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  return writing(call, deps, async (caller, body) => {
    const { ctx } = deps
    const metadata = readMetadata(body['metadata']) ?? {}
    const items = namedItems(readItems(body['items'] ?? [], 0), ctx)
    const created = {
      id: newResponseId(ctx, 'conv_'),
      userId: caller.account.id,
      tokenId: caller.key?.id ?? 0,
      metadata,
    }
    const conversation = await ctx.turns.createConversation(created)
    if (items.length > 0) await ctx.turns.append(conversation, { origin: null, items })
    return conversationObject(conversation)
  })
}

async function retrieve(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  return Response.json(conversationObject(await requireConversation(await readingCaller(call, deps), id, deps)))
}

function update(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  return writing(call, deps, async (caller, body) => {
    const conversation = await requireConversation(caller, id, deps)
    const metadata = readMetadata(body['metadata']) ?? {}
    await changeMetadata(deps.ctx, conversation, metadata)
    return conversationObject({ ...conversation, metadata })
  })
}

async function remove(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  await removeConversation(deps.ctx, await requireConversation(await readingCaller(call, deps), id, deps))
  return Response.json({ id, object: 'conversation.deleted', deleted: true })
}

function createItems(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  return writing(call, deps, async (caller, body) => {
    const conversation = await requireConversation(caller, id, deps)
    // No call could go on in it.
    if (conversation.bytes > deps.ctx.config.maxRequestBodyBytes) throw tooLarge(deps.ctx)
    const items = namedItems(readItems(body['items'], 1), deps.ctx)
    const isAdded = await deps.ctx.turns.append(conversation, { origin: null, items })
    if (!isAdded) throw noConversation(id)
    return itemList(items, `order=asc&limit=${maxItems}`)
  })
}

async function listItems(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const { all } = await itemsOf(call, deps, id)
  return Response.json(itemList(all, call.query))
}

async function retrieveItem(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const { all } = await itemsOf(call, deps, id)
  const itemId = itemIdIn(call)
  const found = all.find((one) => one.id === itemId)
  if (!found) throw noItem(itemId)
  return Response.json(shownItem(found))
}

async function deleteItem(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const caller = await readingCaller(call, deps)
  const conversation = await requireConversation(caller, id, deps)
  using room = deps.inFlight.memory.open(caller.payer.userId)
  room.take(minReadBytes + conversation.bytes * readFactor)
  const itemId = itemIdIn(call)
  if (!(await removeItem(deps.ctx, conversation, itemId))) throw noItem(itemId)
  return Response.json(conversationObject(conversation))
}

const itemIdIn = ({ path }: IncomingCall): string => path.slice(path.lastIndexOf('/') + 1)

async function itemsOf(call: IncomingCall, deps: RelayDeps, id: string) {
  const caller = await readingCaller(call, deps)
  const conversation = await requireConversation(caller, id, deps)
  using room = deps.inFlight.memory.open(caller.payer.userId)
  room.take(minReadBytes + conversation.bytes * readFactor)
  const entries = await conversationItems(deps.ctx, conversation)
  return { all: entries.flatMap(({ items }): readonly ConversationItem[] => items) }
}

/** Admits a call that stores something, which counts as one call for rate limits. */
async function writing(
  call: IncomingCall,
  deps: RelayDeps,
  write: (caller: Caller, body: JsonObject) => Promise<JsonObject>,
): Promise<Response> {
  const caller = await keyCaller(call, deps)
  admitCaller(caller, call, deps.ctx)
  const rates = await checkRates(call, caller, deps)
  using room = deps.inFlight.memory.open(caller.payer.userId)
  const { json } = await readJsonBody(call.request, 'openai-responses', deps.ctx, room)
  const written = await write(caller, json)
  await countSuccess(deps.limiter, rates)
  return Response.json(written)
}

/** @throws AppError `conversation.items`. */
function readItems(items: unknown, minItems: number): readonly JsonObject[] {
  if (Array.isArray(items) && items.length >= minItems && items.length <= maxItems && items.every(isObject))
    return items
  throw new AppError('conversation.items', { params: { limit: maxItems } })
}

/** @throws AppError `conversation.none`, also for one of another owner. */
async function requireConversation(caller: Caller, id: string, { ctx }: RelayDeps): Promise<Conversation> {
  const conversation = await findConversation(ctx, ownerOf(caller), id)
  if (!conversation) throw noConversation(id)
  return conversation
}

const noConversation = (id: string): AppError =>
  new AppError('conversation.none', { params: { id: id.slice(0, maxIdLength) } })
const noItem = (id: string): AppError =>
  new AppError('conversation.item_none', { params: { id: id.slice(0, maxIdLength) } })

const conversationObject = ({ id, createdAt, metadata }: Conversation): JsonObject => ({
  id,
  object: 'conversation',
  created_at: createdAt,
  metadata,
})
