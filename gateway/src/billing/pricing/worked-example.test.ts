import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { defaultOptions } from '@tollgate/contract'
import { noUsage } from '@tollgate/dialects'
import type { PriceClass } from '@tollgate/models'
import { expect, test } from 'bun:test'

import { cacheSavings, computeCharge } from './charge'
import { estimateQuota, maxQuota, possibleVariants } from './hold'
import { Prices } from './prices'
import type { Variant } from './variant'

const page = readFileSync(join(import.meta.dir, '../../../../docs/pricing.md'), 'utf8')
/** The rows of its tables, with single spaces. */
const rows = new Set(page.split('\n').map((line) => line.replaceAll(/ +/g, ' ')))

const group = 'team'
const price = new Prices({ options: { ...defaultOptions, GroupRatio: { [group]: 0.8 } } }).priceOf('gemini-2.5-pro', {
  group,
  userGroup: group,
})
if (!price) throw new Error('The model of the worked example has no price')
const pinned = price.pin({ unixMs: 0 })
const estimated = 150_000
const maxOutput = 2_000
const variants = possibleVariants(pinned, estimated)
const [below, inTier] = variants
if (!below || !inTier) throw new Error('The hold of the worked example does not reach a tier')

const whole = (value: number) => value.toLocaleString('en-US')
const weightOf = ({ weights: { exact, scale } }: Variant, name: PriceClass) => Number(exact[name]) / Number(scale)
const missing = (expected: readonly string[]) => expected.filter((row) => !rows.has(row))

test('the page on pricing has the list prices and weights that the code computes', () => {
  const classes = ['input', 'cache_read', 'output'] as const
  const { prices, tiers = [] } = price.entry
  expect(tiers.map(({ above }) => above)).toEqual([200_000])
  const listed = classes.map((name) => `| \`${name}\` | $${prices[name]} | $${tiers[0]?.prices[name]} |`)
  const weights = classes.map((name) => `| \`${name}\` | ${weightOf(below, name)} | ${weightOf(inTier, name)} |`)
  expect(missing([...listed, ...weights])).toEqual([])
})

test('the page on pricing has the hold that the code computes', () => {
  const { units, possible, media } = pinned
  const use = { promptTokens: estimated, outputTokens: maxOutput, units, possible, media }
  const row = (name: string, variant: Variant, formatSum: (sum: string) => string) =>
    `| ${name} | ${whole(estimated)} · ${weightOf(variant, 'input')} | ${whole(maxOutput)} · ${weightOf(variant, 'output')} | ${formatSum(whole(maxQuota([variant], use)))} |`
  const rowsOfHold = [row('below the tier', below, (sum) => sum), row('in the tier', inTier, (sum) => `**${sum}**`)]
  expect(missing(rowsOfHold)).toEqual([])
  const hold = estimateQuota(pinned, estimated, maxOutput)
  expect(page).toContain(`${whole(hold)} quota, $${hold / price.quotaPerUnit}, are reserved`)
})

test('the page on pricing has the charge that the code computes', () => {
  const charge = computeCharge(pinned, {
    ...noUsage,
    promptTokens: 210_000,
    cachedTokens: 160_000,
    completionTokens: 1_500,
    reasoningTokens: 500,
  })
  const { amounts, quota, variant } = charge
  const lines = (['input', 'cache_read', 'output', 'reasoning'] as const).map((name) => {
    const weight = weightOf(variant, name)
    return `| \`${name}\` | ${whole(amounts[name])} | ${weight} | ${whole(amounts[name] * weight)} |`
  })
  expect(missing([...lines, `| sum | | | **${whole(quota)}** |`])).toEqual([])
  expect(page).toContain(`${whole(quota)} quota, $${quota / price.quotaPerUnit}, are charged`)
  expect(page).toContain(`the other ${whole(estimateQuota(pinned, estimated, maxOutput) - quota)} return`)
  expect(page).toContain(`would have cost ${whole(cacheSavings(charge))} quota more`)
})
