import type { PriceEntry } from '@tollgate/contract'

import type { StoredPrice } from '../../billing/pricing/price-store'
import { putCosts } from '../../console-api/prices/costs'
import { differenceLines } from './difference-lines'
import { makeChange, type SiteEdit } from './site-edit'
import type { FileCosts } from './site-file'

/** What calls cost the operator at one channel, as a file has it. */
export function fileCosts(rows: readonly StoredPrice[]): FileCosts {
  const factor = rows.find((row) => row.factor !== null)?.factor
  const entries = rows.flatMap(({ model, entry }): [string, PriceEntry][] => (entry ? [[model, entry]] : []))
  return {
    ...(typeof factor === 'number' && { factor }),
    ...(entries.length > 0 && { models: Object.fromEntries(entries) }),
  }
}

/** Returns a line for each cost that differs. */
export const costLines = (before: FileCosts, after: FileCosts): string[] =>
  differenceLines(membersOf(before), membersOf(after))

const membersOf = ({ factor, models = {} }: FileCosts): Record<string, unknown> => ({
  ...(factor !== undefined && { 'costs.factor': factor }),
  ...Object.fromEntries(Object.entries(models).map(([model, entry]) => [`costs.${model}`, entry])),
})

interface CostedChannel {
  readonly id: number
  readonly name: string
  readonly before: FileCosts
}

/** Sets the costs of a channel, and removes those that the file does not name. */
export async function setFileCosts(
  costs: FileCosts,
  { id, name, before }: CostedChannel,
  edit: SiteEdit,
): Promise<void> {
  const { factor, models = {} } = costs
  const changed = Object.entries(models).filter(([model, entry]) => !Bun.deepEquals(before.models?.[model], entry))
  const items = [
    ...changed.map(([model, entry]) => ({ channel_id: id, model, entry })),
    ...(factor === undefined || factor === before.factor ? [] : [{ channel_id: id, model: '' as const, factor }]),
  ]
  const gone = Object.keys(before.models ?? {}).filter((model) => models[model] === undefined)
  if (factor === undefined && before.factor !== undefined) gone.push('')
  const remove = gone.map((model) => ({ channel_id: id, model }))
  if (items.length + remove.length === 0) return
  await makeChange(edit, { action: 'price.update_cost', path: ['channels', name, 'costs'] }, (call) =>
    putCosts({ items, remove }, call),
  )
}
