import { promptReach, withObjectIds, withoutSealedReasoning, type ObjectName } from '@tollgate/dialects'
import type { OfferedObject, OptionValues } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { aliasedModels } from '../../channels/routing/aliases'
import type { Channel, Choice } from '../../channels/catalog/catalog'
import { bodyOf, type ParsedBody } from '../../channels/calls/parsed-body'
import type { Context } from '../../context'
import type { Excluded } from '../../channels/routing/keys'
import { waitUnless } from '../../platform/time/timers'
import type { CallView } from '../admission/call-view'
import { ownerOf, type Caller, type ModelCall } from '../call'
import { excludedFrom, holderOf, type NamedObject } from './excluded-accounts'

/** What a call may use of the accounts of vendors. */
export interface ObjectAccess {
  /** Channels and keys that are of other accounts than those the objects are in. */
  readonly excluded: Excluded
  /** All but the account that sealed what the call has with it; null: there is none that serves. */
  readonly elsewhere: Excluded | null
  /** Named by the call, and not made by its user. */
  readonly borrowed: ReadonlySet<string>
  /** Returns the body with the ids that the account has for what the caller names otherwise, and without what it cannot read. */
  bodyFor(choice: Pick<Choice, 'channel' | 'key'>, body: ParsedBody): ParsedBody
}

/** More than a conversation has items. */
const maxNames = 1000
/** Until another worker has recorded what it served just now. */
const graceMs = 150

type RequestingCall = Pick<ModelCall, 'catalog' | 'request'> & { readonly caller: Caller; readonly view: CallView }

interface AccessedView {
  /** With the length of what comes before the prompt. */
  readonly view: CallView
  readonly objects: ObjectAccess | null
}

/**
 * Resolves with what a call may use of these names in the accounts of vendors, and where that is. Those who may name a channel manage its
 * account, and are not asked whose they are.
 * @throws AppError of the `object.` family; DatabaseUnavailableError.
 */
export async function accessObjects(
  names: readonly ObjectName[],
  requesting: RequestingCall,
  body: ParsedBody,
  ctx: Pick<Context, 'vendorObjects' | 'timers'>,
): Promise<AccessedView> {
  const { view, caller } = requesting
  // With its own login a client names what is in its own account.
  if (caller.pinnedChannelId !== null || caller.ownLogin !== null) return { view, objects: null }
  if (names.length > maxNames) throw new AppError('object.many', { params: { limit: maxNames } })
  const all = await requirePermitted(names, requesting, ctx)
  const objects = all.filter(({ name }) => !name.isSealed)
  const sealed = all.find(({ name }) => name.isSealed)
  const placed = atModelOf(objects, requesting)
  const canRead = sealed ? holderOf(sealed, requesting.catalog) : () => true
  return {
    view: withPreviousTokens(placed.view, body, objects),
    objects: {
      excluded: excludedFrom(objects, placed),
      elsewhere: sealed?.stored ? reachableFrom([...objects, sealed], placed) : null,
      borrowed: new Set(objects.filter(({ stored }) => !stored).map(({ name }) => name.id)),
      bodyFor: ({ channel, key }, own) => {
        const named = renameObjects(own, objects, channel)
        return canRead(channel, key) ? named : { ...named, ...bodyOf(withoutSealedReasoning(named.json)) }
      },
    },
  }
}

/**
 * Returns the call with that model of an alias by which the objects can be reached: their account decides about it, as the conversation goes
 * on there. It goes on with no other model.
 */
function atModelOf(objects: readonly NamedObject[], requesting: RequestingCall): RequestingCall {
  const { view, caller, catalog } = requesting
  const { modelChoice } = view
  if (!modelChoice) return requesting
  const models = [view.model, ...aliasedModels(catalog, caller.group, modelChoice.requested)]
  const atEach = models.map((model) => ({
    ...requesting,
    view: { ...view, model, modelChoice: { ...modelChoice, next: [] } },
  }))
  return atEach.find((placed) => reachableFrom(objects, placed) !== null) ?? requesting
}

/** Returns the channels and keys of other accounts; null where the account does not serve now. */
function reachableFrom(objects: readonly NamedObject[], requesting: RequestingCall): Excluded | null {
  try {
    return excludedFrom(objects, requesting)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Resolves with the objects of these names. @throws AppError `object.none`, `object.response_none`. */
async function requirePermitted(
  names: readonly ObjectName[],
  { catalog: { options }, request, caller }: RequestingCall,
  { vendorObjects, timers }: Pick<Context, 'vendorObjects' | 'timers'>,
): Promise<readonly NamedObject[]> {
  const owner = ownerOf(caller)
  const open = openChannels(caller.group, options)
  const isOpen = open === 'all' || open.size > 0
  let objects = await find()
  if (!isOpen && objects.some(isRefused)) {
    await waitUnless(timers, graceMs, request.signal)
    objects = await find()
  }
  const unknown = objects.filter(isUnknown).map(({ name }) => name.id)
  const others = unknown.length === 0 ? noIds : await vendorObjects.ofOthers(owner, unknown)
  const openOffers = open === 'all' ? [] : [...open].map((channel) => ({ id: everything, channel }))
  return objects.flatMap((object) => {
    if (!isUnknown(object)) return [object]
    if (object.name.isSealed) return others.has(object.name.id) ? [{ ...object, isForeign: true }] : []
    if (others.has(object.name.id) || (isRefused(object) && !isOpen)) throw noObject(object.name)
    return object.name.isRedundant ? [] : [{ ...object, offers: openOffers }]
  })

  async function find(): Promise<readonly NamedObject[]> {
    const storedObjects = await vendorObjects.ofOwner(
      owner,
      names.map(({ id }) => id),
    )
    return names.map((name) => {
      const own = storedObjects.get(name.id)
      return { name, stored: own, offers: own ? [] : offeredTo(caller.group, name.id, options) }
    })
  }
}

const noIds: ReadonlySet<string> = new Set()
const isUnknown = ({ stored, offers }: NamedObject): boolean => !stored && offers.length === 0
const isRefused = (object: NamedObject): boolean => isUnknown(object) && !object.name.isRedundant

/** What another user made is not told from what never was. */
const noObject = ({ id, place }: ObjectName): AppError =>
  new AppError(place === previousResponse ? 'object.response_none' : 'object.none', {
    params: { id: id.slice(0, 100), place },
  })

const previousResponse = 'previous_response_id'

/** Returns the view with the length of the earlier response on which the call builds, where that is known. */
function withPreviousTokens(view: CallView, { text, json }: ParsedBody, objects: readonly NamedObject[]): CallView {
  const previous = objects.find(({ name }) => name.place === previousResponse)
  const tokens = previous?.stored?.tokens ?? null
  if (tokens === null) return view
  const { previous_response_id: _, ...rest } = json
  const promptBound = promptReach(text, rest, view.prompt.files)
  return { ...view, promptTokens: view.promptTokens + tokens, promptReach: promptBound, previousTokens: tokens }
}

function renameObjects(body: ParsedBody, objects: readonly NamedObject[], channel: Pick<Channel, 'id'>): ParsedBody {
  const ids = new Map<string, string>()
  for (const { name, stored, offers } of objects) {
    const offered = offers.find((offer) => offer.channel === channel.id && offer.id !== everything)
    const id = stored ? stored.vendorId || name.id : (offered?.id ?? name.id)
    if (id !== name.id) ids.set(name.id, id)
  }
  return ids.size === 0 ? body : { ...body, ...bodyOf(withObjectIds(body.json, ids)) }
}

/** Stands for everything in the account that no user made. */
const everything = '*'

type Options = Pick<OptionValues, 'VendorObjects' | 'SelfUseModeEnabled'>

/** Returns the operator's own objects that a group may use under this name or id; a channel has its own id for a name. */
const offeredTo = (group: string, name: string, { VendorObjects: objects }: Options): readonly OfferedObject[] =>
  objects.filter((object) => (object.id === name || object.name === name) && isFor(group, object))

/** Returns the channels of which a group may use everything; `all` where one person or team uses the whole site. */
function openChannels(group: string, options: Options): ReadonlySet<number> | 'all' {
  if (options.SelfUseModeEnabled) return 'all'
  const open = options.VendorObjects.filter((object) => object.id === everything && isFor(group, object))
  return new Set(open.map(({ channel }) => channel))
}

/** Refuses what the accounts of vendors have and no one offers, of a call that leaves nothing there by which it could be its user's. @throws AppError `object.none`. */
export function refuseUnoffered(
  names: readonly Pick<ObjectName, 'id' | 'place'>[],
  caller: Pick<Caller, 'group' | 'pinnedChannelId'>,
  options: Options,
): void {
  if (caller.pinnedChannelId !== null) return
  const name = names.find(({ id }) => !isOffered(id, caller.group, options))
  if (name) throw new AppError('object.none', { params: { id: name.id.slice(0, 100), place: name.place } })
}

/** Returns whether a group may name an object by its id where the channel is chosen already. */
function isOffered(id: string, group: string, options: Options): boolean {
  const open = openChannels(group, options)
  return open === 'all' || open.size > 0 || offeredTo(group, id, options).some((object) => object.id === id)
}

const isFor = (group: string, { groups = '' }: OfferedObject): boolean =>
  groups.trim() === '' || groups.split(',').some((name) => name.trim() === group)
