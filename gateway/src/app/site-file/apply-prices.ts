import type { PriceEntry } from '@tollgate/contract'

import { writeOwn } from '../../console-api/prices/write-prices'
import { differenceLines } from './difference-lines'
import { makeChange, type SiteEdit } from './site-edit'
import type { SiteFile } from './site-file'
import type { SiteState } from './site-state'

/** Sets and removes own prices, as a file says. */
export async function applyPrices(
  requested: NonNullable<SiteFile['prices']>,
  { prices }: SiteState,
  edit: SiteEdit,
): Promise<void> {
  const { applied, isPruning, note } = edit
  const objectOf = (model: string) => ({ kind: 'prices', ref: model, createdAt: 0 }) as const
  const entries = new Map<string, PriceEntry>()
  for (const [model, entry] of Object.entries(requested)) {
    const before = prices.get(model)
    if (before && Bun.deepEquals(before, entry)) continue
    entries.set(model, entry)
    note(`${before ? '~' : '+'} prices.${model}`)
    for (const line of differenceLines({ ...before }, entry)) note(line)
  }
  const gone = [...prices.keys()].filter(
    (model) => requested[model] === undefined && (isPruning || applied.has(objectOf(model))),
  )
  for (const model of gone) note(`- prices.${model}`)
  if (entries.size > 0)
    await makeChange(edit, { action: 'price.update', path: ['prices'] }, (call) => writeOwn(entries, call))
  if (gone.length > 0)
    await makeChange(edit, { action: 'price.delete', path: ['prices'] }, (call) =>
      writeOwn(new Map(gone.map((model) => [model, null])), call),
    )
  for (const model of entries.keys()) if (!prices.has(model)) await applied.add(objectOf(model))
  for (const model of gone) await applied.remove(objectOf(model))
}
