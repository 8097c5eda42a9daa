import { isObject, objectsOf, textOf, type JsonObject } from '@tollgate/dialects'

import { bodyOf, type ParsedBody } from '../../channels/calls/parsed-body'
import type { StoredItem } from '../../channels/turns/turns'
import type { Context } from '../../context'
import { AppError } from '../../platform/app-error'
import { waitUnless } from '../../platform/time/timers'
import { ownerOf, type Caller } from '../call'
import { tooLarge, type EarlierItems } from './open-turn'

/** As many as a call may name objects at vendors. */
const maxReferences = 1000
/** Until another worker has recorded what it served just now. */
const graceMs = 150

interface ReferringRequest {
  readonly call: { readonly request: Request }
  readonly caller: Caller
  readonly body: ParsedBody
  readonly ctx: Context
}

/** A request with items in place of references, and who answered them. */
export interface ResolvedRequest {
  readonly body: ParsedBody
  readonly input: readonly EarlierItems[]
}

/** Returns whether an input may name items instead of repeating them; most are told by one look at the text. */
export const mayHoldReferences = ({ text }: Pick<ParsedBody, 'text'>): boolean => text.includes('"item_reference"')

const isReference = (item: unknown): item is JsonObject => isObject(item) && item['type'] === 'item_reference'

/** Returns what a request says without references. */
export const withoutReferences = (json: JsonObject): JsonObject => ({
  ...json,
  input: objectsOf(json['input']).filter((item) => !isReference(item)),
})

/**
 * Resolves with a request that has the items of the caller's stored responses in place of references to them; null where none is known.
 * `isAll`: also in place of those that a vendor knows.
 * https://platform.openai.com/docs/api-reference/responses/create#responses-create-input
 * @throws AppError `object.many`, `request.too_large`; DatabaseUnavailableError.
 */
export async function resolveReferences(
  { call, caller, body, ctx }: ReferringRequest,
  { isAll }: { readonly isAll: boolean },
): Promise<ResolvedRequest | null> {
  const { input } = body.json
  if (!Array.isArray(input) || !input.every(isObject)) return null
  const references = input.filter(isReference)
  if (references.length > maxReferences) throw new AppError('object.many', { params: { limit: maxReferences } })
  const ids = new Set(references.map(({ id }) => textOf(id)))
  const owner = ownerOf(caller)
  const atVendors = isAll || ids.size === 0 ? null : await ctx.vendorObjects.ofOwner(owner, [...ids])
  const unknown = [...ids].filter((id) => id !== '' && !atVendors?.has(id))
  if (unknown.length === 0) return null
  let found = await find()
  if (found.size < unknown.length) {
    await waitUnless(ctx.timers, graceMs, call.request.signal)
    found = await find()
  }
  return found.size === 0 ? null : withItems(body, input, found, ctx)

  async function find(): Promise<ReadonlyMap<string, StoredItem>> {
    const items = await ctx.turns.findItems(owner, unknown, ctx.config.maxRequestBodyBytes)
    if (items === null) throw tooLarge(ctx)
    return items
  }
}

/** @throws AppError `request.too_large`: a few bytes may name a large item, more than once. */
function withItems(
  body: ParsedBody,
  input: readonly JsonObject[],
  found: ReadonlyMap<string, StoredItem>,
  ctx: Pick<Context, 'config'>,
): ResolvedRequest {
  const lengths = new Map([...found].map(([id, { item }]) => [id, JSON.stringify(item).length]))
  const idOf = (item: JsonObject) => (isReference(item) ? textOf(item['id']) : '')
  const added = input.reduce((sum, item) => sum + (lengths.get(idOf(item)) ?? 0), 0)
  if (body.text.length + added > ctx.config.maxRequestBodyBytes) throw tooLarge(ctx)
  const segments = input.map((item): EarlierItems => {
    const stored = found.get(idOf(item))
    return stored ? { origin: stored.origin, items: [stored.item] } : { origin: null, items: [item] }
  })
  const resolved = bodyOf({ ...body.json, input: segments.flatMap(({ items }) => items) })
  body.room?.hold(resolved.text.length * 2)
  return { body: { ...body, ...resolved }, input: segments }
}
