import type { AliasRule, channelRoutes } from '@tollgate/contract'

import type { Catalog } from '../../channels/catalog/catalog'
import { fitsWhenever, targetsOf } from '../../channels/routing/aliases'
import { priorityLevelsOf } from '../../channels/routing/priority-levels'
import type { Clock } from '../../platform/time/clock'

interface NameQuery {
  readonly group: string
  /** As the caller names it. */
  readonly model: string
}

/** What a name stands for, and the model whose channels explain it. */
type NamedRoute = Pick<channelRoutes.RouteExplanation, 'model' | 'name'>

/** Returns what an alias or a chain makes of a name. */
export function explainName({ group, model }: NameQuery, catalog: Catalog, clock: Pick<Clock, 'now'>): NamedRoute {
  const { siteModels } = catalog
  const rules = siteModels?.aliases.get(model) ?? []
  const isServed = (target: string) => priorityLevelsOf(catalog, group, target).length > 0
  const hour = siteModels?.hourAt(clock.now()) ?? 0
  const explained = rules.map((rule) => ({ ...explainRule(rule, isServed), fits: fitsWhenever(rule, { group, hour }) }))
  const fitting = rules.filter((_, index) => explained[index]?.fits)
  const question = { group, promptTokens: 0, has: () => true, hour: () => hour, isServed }
  const targets = targetsOf(
    fitting.map(({ targets }) => ({ targets })),
    question,
  )
  const [first] = targets.toSorted((one, other) => other.weight - one.weight)
  const shown = first?.model ?? model
  const chain = siteModels?.chains.get(model) ?? siteModels?.chains.get(shown)
  if (rules.length === 0 && !chain) return { model, name: null }
  const next = (chain?.models ?? []).filter((target) => target !== shown)
  const name = {
    rules: explained,
    chain: next.map((target) => ({ model: target, is_served: isServed(target) })),
    on: [...(chain?.on ?? [])],
  }
  return { model: shown, name }
}

function explainRule(rule: AliasRule, isServed: (model: string) => boolean) {
  const served = rule.targets.filter(({ model }) => isServed(model))
  const total = served.reduce((sum, { weight }) => sum + weight, 0)
  return {
    groups: [...(rule.groups ?? [])],
    min_tokens: rule.min_tokens ?? 0,
    max_tokens: rule.max_tokens ?? 0,
    needs: [...(rule.needs ?? [])],
    hours: rule.hours ? ([...rule.hours] as [number, number]) : null,
    targets: rule.targets.map(({ model, weight }) => ({ model, share: isServed(model) ? weight / total : 0 })),
  }
}
