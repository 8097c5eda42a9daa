import type { RoutingRule } from '@tollgate/contract'

import { simulateStrategy } from '../gateway/test/strategy-world'

/** What routing strategies make of a million calls at ten simulated channels, as the table in docs/strategies.md. */
const calls = 1_000_000
const seed = 1

const rules: readonly (RoutingRule & { readonly minds: string })[] = [
  { model: '*', strategy: 'cheapest', minds: 'US dollars for a million tokens' },
  { model: '*', strategy: 'fastest', minds: 'ms for an answer of 300 tokens' },
  { model: '*', strategy: 'least_busy', minds: 'part of the slots taken' },
  { model: '*', strategy: 'mix', cost: 1, speed: 1, load: 1, minds: 'root of dollars times ms' },
]

const percent = (part: number): string => `${(part * 100).toFixed(2)} %`

console.log(
  '| Strategy | Minds, on average | it | best channel alone | in relation | least used channel | leader changes an hour | turns of conversations elsewhere |',
)
console.log('| --- | --- | --: | --: | --: | --: | --: | --: |')
for (const { minds, ...rule } of rules) {
  const { mean, bestFixed, minShare, leadsPerHour, moved } = simulateStrategy(rule, calls, seed)
  const cells = [
    `\`${rule.strategy}\``,
    minds,
    mean.toPrecision(4),
    bestFixed.toPrecision(4),
    (mean / bestFixed).toFixed(3),
    percent(minShare),
    leadsPerHour.toFixed(1),
    percent(moved),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
