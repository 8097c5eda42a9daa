import type { OptionValues } from '@tollgate/contract'
import { z } from 'zod'

import { Prices } from '../../../billing/pricing/prices'
import { storeRatios } from '../../../billing/pricing/price-store'
import { ratioOptions, type RatioOption } from '../../../billing/pricing/ratio-view'
import { parsedJson } from '../../../platform/text/parsed-json'
import { createClock } from '../../../platform/time/clock'
import type { SiteSource } from '../site-source'
import type { ImportTarget } from './import-target'

type Table = Readonly<Record<string, number>>
type Tables = Readonly<Record<RatioOption, Table>>

/** Ratios are in units of which a dollar has this many; a site may count in others. */
const unitsOfRatios = 500_000

/** Imports the ratios and prices of models as price entries. */
export async function writePrices(source: SiteSource, options: OptionValues, target: ImportTarget): Promise<void> {
  const texts = await source.options()
  const read = (option: RatioOption) => tableOf(option, texts.get(option) ?? '', target)
  const all = Object.fromEntries(ratioOptions.map((option) => [option, read(option)])) as Tables
  const tables = scaleRatios(all, unitsOfRatios / options.QuotaPerUnit)
  const deps = { clock: createClock(() => target.at * 1000), catalog: { current: { prices: new Prices({ options }) } } }
  const changes = ratioOptions.map((option) => ({ option, before: {}, after: tables[option] }))
  await storeRatios(deps, changes, { source: 'own', username: '' }, target.transaction)
  const models = new Set(Object.values(tables).flatMap((table) => Object.keys(table)))
  target.report.count('prices of models', models.size)
}

const Ratios = z.record(z.string(), z.unknown())

function tableOf(option: RatioOption, text: string, { report }: ImportTarget): Table {
  const ratios = Ratios.safeParse(parsedJson(text.trim() || '{}'))
  if (!ratios.success) report.note('prices that are not carried over', `all of ${option}, which is not a JSON object`)
  const entries = Object.entries(ratios.data ?? {})
  const usable = entries.filter(([model, ratio]) => isUsable(model, ratio))
  for (const [model, ratio] of entries)
    if (!isUsable(model, ratio))
      report.note('prices that are not carried over', `${option} of ${model}: ${JSON.stringify(ratio)}`)
  return Object.fromEntries(usable) as Table
}

const maxRatio = 1e6

/** One-api has prices for a model at channels of one type, as `model(type)`. */
const isUsable = (model: string, ratio: unknown): ratio is number =>
  typeof ratio === 'number' &&
  ratio >= 0 &&
  ratio <= maxRatio &&
  model !== '' &&
  model.length <= 255 &&
  !/\(\d+\)$/.test(model)

function scaleRatios(tables: Tables, factor: number): Tables {
  if (factor === 1) return tables
  const ModelRatio = Object.fromEntries(
    Object.entries(tables.ModelRatio).map(([model, ratio]) => [model, ratio * factor]),
  )
  return { ...tables, ModelRatio }
}
