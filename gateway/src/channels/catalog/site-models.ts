import { chainReasons, type AliasRule, type ChainReason, type OptionValues } from '@tollgate/contract'

import { formatterOf } from '../../platform/time/calendar'

/** What is tried where a model does not serve. */
export interface Chain {
  readonly models: readonly string[]
  readonly on: ReadonlySet<ChainReason>
}

/** The names of models that the site makes, and what follows where a model does not serve. */
export interface SiteModels {
  readonly aliases: ReadonlyMap<string, readonly AliasRule[]>
  /** By the model or alias that a call names. */
  readonly chains: ReadonlyMap<string, Chain>
  /** Returns the hour of the day in the site's zone, 0 to 23. */
  hourAt(unixMs: number): number
}

type Options = Pick<OptionValues, 'ModelAliases' | 'ModelChains' | 'SiteTimeZone'>

/** Returns what the options say; null where they say nothing, which is all that a call has to look at then. */
export function siteModelsOf({ ModelAliases, ModelChains, SiteTimeZone }: Options): SiteModels | null {
  const aliases = new Map(Object.entries(ModelAliases))
  const chains = new Map(
    Object.entries(ModelChains).map(([name, { models, on = chainReasons }]) => [name, { models, on: new Set(on) }]),
  )
  if (aliases.size + chains.size === 0) return null
  const format = formatterOf(SiteTimeZone)
  return { aliases, chains, hourAt: (unixMs) => Number(format(unixMs).slice(11, 13)) }
}
