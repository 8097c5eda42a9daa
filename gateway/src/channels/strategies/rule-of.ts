import type { RoutingRule, RoutingStrategy } from '@tollgate/contract'

/** The strategy of a group and model, with the parts of cost, speed and load in it, which make 1. */
export interface Strategy {
  readonly name: RoutingStrategy
  readonly cost: number
  readonly speed: number
  readonly load: number
}

const pure = {
  cheapest: { name: 'cheapest', cost: 1, speed: 0, load: 0 },
  fastest: { name: 'fastest', cost: 0, speed: 1, load: 0 },
  least_busy: { name: 'least_busy', cost: 0, speed: 0, load: 1 },
} as const satisfies Partial<Record<RoutingStrategy, Strategy>>

/** Returns the strategy of the first rule for a group and model; null: by weight. */
export function strategyOf(rules: readonly RoutingRule[], group: string, model: string): Strategy | null {
  const rule = rules.find((one) => (one.group === undefined || one.group === group) && isNamed(model, one.model))
  if (!rule || rule.strategy === 'weight') return null
  if (rule.strategy !== 'mix') return pure[rule.strategy]
  const { cost = 0, speed = 0, load = 0 } = rule
  const all = cost + speed + load
  return { name: 'mix', cost: cost / all, speed: speed / all, load: load / all }
}

/** Returns whether a pattern stands for a name: `*` is any number of characters. Linear in the name. */
function isNamed(name: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first)) return false
  let from = first.length
  for (const part of others) {
    const at = name.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return name.length >= from + last.length && name.endsWith(last)
}
