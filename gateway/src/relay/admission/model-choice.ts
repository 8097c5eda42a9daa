import type { CallNeed, ChainReason } from '@tollgate/contract'
import { limitsOf } from '@tollgate/models'

import { modelRefusal } from '../../accounts/callers/caller-refusal'
import type { ChargeFacts } from '../../billing/metering/charge-details'
import type { Catalog } from '../../channels/catalog/catalog'
import type { Chain, SiteModels } from '../../channels/catalog/site-models'
import { drawTarget, targetsOf } from '../../channels/routing/aliases'
import { priorityLevelsOf } from '../../channels/routing/priority-levels'
import type { Session } from '../../channels/routing/session'
import type { ParsedBody } from '../../channels/calls/parsed-body'
import type { Context } from '../../context'
import { AppError } from '../../platform/app-error'
import type { Caller, ModelCall } from '../call'
import type { CallView, ModelChoice } from './call-view'
import { conversationOf } from './conversation'

/** A call as far as the choice of its model goes. */
export interface ChoosingCall {
  readonly caller: Pick<Caller, 'group' | 'key' | 'pinnedChannelId'>
  readonly catalog: Catalog
  readonly promptTokens: number
  readonly has: (need: CallNeed) => boolean
  /** Returns the conversation of the call; null: there is none. */
  readonly sessionOf: () => Session | null
}

export interface ChosenModel {
  readonly model: string
  readonly modelChoice?: ModelChoice
}

type ChoiceDeps = Pick<Context, 'clock' | 'random'>

const emptyChain: Chain = { models: [], on: new Set() }

/**
 * Returns the model with which a call begins, and those it may go on with. `model`: as its caller names it, who may call it.
 * @throws AppError `route.no_channel` for an alias none of whose models is served.
 */
export function chooseModel(named: string, call: ChoosingCall, deps: ChoiceDeps): ChosenModel {
  const { siteModels } = call.catalog
  return siteModels === null ? { model: named } : chooseAmong(siteModels, named, call, deps)
}

function chooseAmong(siteModels: SiteModels, named: string, call: ChoosingCall, deps: ChoiceDeps): ChosenModel {
  const isAlias = siteModels.aliases.has(named)
  const first = isAlias ? resolveAlias(siteModels, named, call, deps) : named
  const chain = chainOf(siteModels, [named, first], call)
  if (!isAlias && chain === emptyChain) return { model: named }
  // What an alias leads to is allowed with it.
  const next = chain.models.filter(
    (model) => model !== first && isServed(call, model) && (isAlias || modelRefusal(call.caller, model) === null),
  )
  const inOrder = first === null ? next : [first, ...next]
  const at = chain.on.has('length')
    ? Math.max(
        inOrder.findIndex((model) => hasRoomFor(model, call)),
        0,
      )
    : 0
  const model = inOrder[at]
  if (model === undefined)
    throw new AppError('route.no_channel', { params: { model: named, group: call.caller.group } })
  const reason = at > 0 ? 'length' : first === null ? 'failure' : isAlias ? 'alias' : null
  return { model, modelChoice: { requested: named, reason, next: inOrder.slice(at + 1), on: chain.on } }
}

/** Returns the model that an alias stands for in this call; null: none of its models is served. */
function resolveAlias(siteModels: SiteModels, alias: string, call: ChoosingCall, { clock, random }: ChoiceDeps) {
  const { caller, promptTokens, has } = call
  const hour = () => siteModels.hourAt(clock.now())
  const question = { group: caller.group, promptTokens, has, hour, isServed: (model: string) => isServed(call, model) }
  const targets = targetsOf(siteModels.aliases.get(alias) ?? [], question)
  return drawTarget(targets, targets.length > 1 ? call.sessionOf() : null, random)
}

/** Returns the chain of what the caller named, or else of the model that it stands for. A caller who names a channel is served there alone. */
function chainOf({ chains }: SiteModels, names: readonly (string | null)[], { caller }: ChoosingCall): Chain {
  if (caller.pinnedChannelId !== null) return emptyChain
  const name = names.find((name) => name !== null && chains.has(name)) ?? ''
  return chains.get(name) ?? emptyChain
}

/** A channel that is named in the key serves whatever it can. */
const isServed = ({ caller, catalog }: ChoosingCall, model: string): boolean =>
  caller.pinnedChannelId !== null || priorityLevelsOf(catalog, caller.group, model).length > 0

/** Returns whether the prompt fits into the window of a model at any of its channels, as far as windows are known. */
function hasRoomFor(
  model: string,
  { caller, catalog, promptTokens }: Omit<ChoosingCall, 'has' | 'sessionOf'>,
): boolean {
  const candidates = priorityLevelsOf(catalog, caller.group, model).flatMap((level) => level.candidates)
  if (candidates.length === 0) return true
  return candidates.some(({ channel: { modelMapping, maxInputTokens }, model: bare }) => {
    if (maxInputTokens > 0 && promptTokens > maxInputTokens) return false
    const limits = limitsOf(modelMapping.get(bare) ?? bare) ?? limitsOf(bare)
    return promptTokens <= (limits?.inputTokens ?? limits?.contextTokens ?? Infinity)
  })
}

/** Returns a call that goes on with the next model, into whose window its prompt fits; null: there is none. */
export function withNextModel<Call extends Pick<CallView, 'modelChoice' | 'promptTokens'>>(
  view: Call,
  reason: ChainReason,
  call: Pick<ChoosingCall, 'caller' | 'catalog'>,
): (Call & ChosenModel) | null {
  const { modelChoice, promptTokens } = view
  if (!modelChoice?.on.has(reason)) return null
  const { requested, next, on } = modelChoice
  const at = on.has('length') ? next.findIndex((model) => hasRoomFor(model, { ...call, promptTokens })) : 0
  const model = next[at]
  return model === undefined
    ? null
    : { ...view, model, modelChoice: { requested, reason, next: next.slice(at + 1), on } }
}

interface ReadCall {
  readonly caller: Caller
  readonly body: Pick<ParsedBody, 'json'>
  readonly view: CallView
}

/** Returns what decides about the model of a call. */
export const choosingCall = (call: ModelCall, { caller, body, view }: ReadCall): ChoosingCall => ({
  caller,
  catalog: call.catalog,
  promptTokens: view.promptTokens,
  has: (need) =>
    need === 'images' ? hasImages(view) : isFilled(body.json['tools']) || isFilled(body.json['functions']),
  sessionOf: () => conversationOf({ call, caller, body, view }),
})

const hasImages = ({ prompt: { images, lowDetailImages } }: CallView): boolean => images + lowDetailImages > 0

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** Returns what a call named, where another model serves it, and why, as its log row keeps it. */
export const requestedModelOf = (choice: ModelChoice | undefined): ChargeFacts['requested'] =>
  choice?.reason ? { model: choice.requested, reason: choice.reason } : undefined
