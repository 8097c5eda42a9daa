import type { AliasRule, AliasTarget, CallNeed } from '@tollgate/contract'

import type { Random } from '../../platform/random'
import type { Catalog } from '../catalog/catalog'
import { priorityLevelsOf } from './priority-levels'
import type { Session } from './session'

/** What the rules of an alias ask about a call. */
export interface AliasQuestion {
  readonly group: string
  /** Estimated. */
  readonly promptTokens: number
  readonly has: (need: CallNeed) => boolean
  /** Returns the hour of the day in the site's zone. */
  readonly hour: () => number
  /** Returns whether a model can be called at all. */
  readonly isServed: (model: string) => boolean
}

/** Returns the models that may serve a call: those of the first rule that fits and has one that is served. Empty: there is none. */
export function targetsOf(rules: readonly AliasRule[], question: AliasQuestion): readonly AliasTarget[] {
  for (const rule of rules) {
    if (!fits(rule, question)) continue
    const served = rule.targets.filter(({ model }) => question.isServed(model))
    if (served.length > 0) return served
  }
  return []
}

function fits(rule: AliasRule, { group, promptTokens, has, hour }: AliasQuestion): boolean {
  const { min_tokens: min = 0, max_tokens: max = Infinity, needs = [], hours } = rule
  if (promptTokens < min || promptTokens > max || !needs.every(has)) return false
  return fitsWhenever(rule, { group, hour: hours === undefined ? 0 : hour() })
}

/** Returns whether a rule fits calls of a group at an hour, whatever they ask. */
export const fitsWhenever = (
  { groups, hours }: AliasRule,
  { group, hour }: { readonly group: string; readonly hour: number },
): boolean => (groups === undefined || groups.includes(group)) && (hours === undefined || isWithin(hours, hour))

const isWithin = ([from, to]: readonly [number, number], hour: number): boolean =>
  from < to ? from <= hour && hour < to : from <= hour || hour < to

/**
 * Returns one of the models in proportion to their weights. A conversation gets the same one each time, and no other conversation moves when
 * a model is added or taken away.
 */
export function drawTarget(
  targets: readonly AliasTarget[],
  session: Session | null,
  random: Pick<Random, 'number'>,
): string | null {
  let drawn: string | null = null
  let minTime = Infinity
  for (const { model, weight } of targets) {
    const number = session === null ? random.number() : Bun.hash.xxHash32(model, session) / 2 ** 32
    // The least of exponentially distributed times is one's own as often as its rate is part of the sum of all.
    const time = -Math.log(1 - number) / weight
    if (time < minTime) [drawn, minTime] = [model, time]
  }
  return drawn
}

type Named = Pick<Catalog, 'siteModels' | 'routes'>

/** Returns the models that an alias may lead to in a group, each once. Empty for a name that is not an alias. */
export function aliasedModels(catalog: Named, group: string, name: string): readonly string[] {
  const rules = catalog.siteModels?.aliases.get(name)
  if (!rules) return []
  const models = rules
    .filter(({ groups }) => groups === undefined || groups.includes(group))
    .flatMap(({ targets }) => targets.map(({ model }) => model))
  return [...new Set(models)].filter((model) => isServedIn(catalog, group, model))
}

/** Returns the aliases that lead to a model in a group. */
export const aliasesIn = (catalog: Named, group: string): readonly string[] =>
  catalog.siteModels === null
    ? []
    : [...catalog.siteModels.aliases.keys()].filter((name) => aliasedModels(catalog, group, name).length > 0)

const isServedIn = (catalog: Named, group: string, model: string): boolean =>
  priorityLevelsOf(catalog, group, model).length > 0
