import { entryPrices, numberOf } from '@tollgate/contract/price-formula'
import { csvLine, NewPriceEntry, priceRoutes, readCsv, type CsvCell, type PriceEntry } from '@tollgate/contract'
import { modeFields, priceClasses, type ClassPrices, type PriceTier } from '@tollgate/models'
import type { ZodError } from 'zod'

/** What a line sets for its model. `no_…`: none, although the list has some. */
const parts = ['prices', 'tier', 'mode', 'mode_tier', 'schedule', 'no_tiers', 'no_modes', 'no_schedules'] as const
type Part = (typeof parts)[number]

const plain = ['model', 'part', 'name', 'above', ...modeFields, 'zone', 'days', 'from', 'to', 'factor'] as const
const columns = [...plain, ...priceClasses] as const
type Column = (typeof columns)[number]
type Line = Partial<Record<Column, CsvCell>>

export const priceCsvHead = csvLine([...columns])

/** Returns the lines of an entry: its prices, then each tier, mode and schedule. Ratios are written as the prices they stand for. */
export function priceCsvLines(model: string, entry: PriceEntry): string {
  const { tiers, modes, schedules } = entry
  const priceCells = Object.fromEntries(
    Object.entries(entryPrices(entry)).map(([name, price]) => [name, numberOf(price)]),
  )
  const tier = (part: Part, { above, prices }: PriceTier, name = ''): Line => ({ part, name, above, ...prices })
  const lines: Line[] = [
    { part: 'prices', ...priceCells },
    ...(tiers ?? []).map((one) => tier('tier', one)),
    ...(modes ?? []).flatMap((mode): Line[] => [
      { part: 'mode', name: mode.name, ...mode.match, factor: mode.factor ?? '', ...mode.prices },
      ...(mode.tiers ?? []).map((one) => tier('mode_tier', one, mode.name)),
    ]),
    ...(schedules ?? []).map(({ days, ...schedule }): Line => ({ part: 'schedule', ...schedule, days: days.join('') })),
    ...(tiers?.length === 0 ? [{ part: 'no_tiers' }] : []),
    ...(modes?.length === 0 ? [{ part: 'no_modes' }] : []),
    ...(schedules?.length === 0 ? [{ part: 'no_schedules' }] : []),
  ]
  return lines
    .map((line) => csvLine(columns.map((column) => (column === 'model' ? model : (line[column] ?? '')))))
    .join('')
}

interface EntryInMaking {
  readonly line: number
  prices: ClassPrices
  tiers?: unknown[]
  modes?: { name: string; tiers?: unknown[]; [field: string]: unknown }[]
  schedules?: unknown[]
}

/** Reads lines that `priceCsvLines` wrote, or a table with some of the columns: `model` and a price are enough. */
export function readPriceCsv(text: string): { entries: Map<string, PriceEntry>; faults: ImportFault[] } {
  const [head, ...rows] = readCsv(text)
  const faults: ImportFault[] = []
  const making = new Map<string, EntryInMaking>()
  const unknown = head?.cells.filter((name) => !columns.some((known) => known === name)) ?? []
  if (!head?.cells.includes('model')) faults.push({ line: 1, model: '', reason: 'no column is called model' })
  if (unknown.length > 0) faults.push({ line: 1, model: '', reason: `unknown columns: ${unknown.join(', ')}` })
  if (!head || faults.length > 0) return { entries: new Map(), faults }
  for (const { line, cells } of rows) {
    const cellsByColumn = new Map(head.cells.map((name, index) => [name, cells[index] ?? '']))
    const model = (cellsByColumn.get('model') ?? '').trim()
    const { error } = priceRoutes.PricedModel.safeParse(model)
    const fault = error ? (model === '' ? 'no model' : faultsText(error)) : addLine(making, model, line, cellsByColumn)
    if (fault !== undefined) faults.push({ line, model, reason: fault })
  }
  const entries = new Map<string, PriceEntry>()
  for (const [model, { line, ...entry }] of making) {
    const read = NewPriceEntry.safeParse(entry)
    if (read.success) entries.set(model, read.data)
    else faults.push({ line, model, reason: faultsText(read.error) })
  }
  return { entries, faults }
}

/** Adds a line to the entry of its model. Returns what is wrong with it. */
function addLine(
  making: Map<string, EntryInMaking>,
  model: string,
  line: number,
  cellsByColumn: ReadonlyMap<string, string>,
): string | undefined {
  const text = (name: Column) => cellsByColumn.get(name) ?? ''
  const part = parts.find((one) => one === (text('part') || 'prices'))
  if (!part) return `unknown part: ${text('part')}`
  const prices = numbersOf(priceClasses, text)
  if (typeof prices === 'string') return prices
  const entry = making.get(model) ?? { line, prices: {} }
  making.set(model, entry)
  return adders[part](entry, { text, prices })
}

interface LineRead {
  readonly text: (name: Column) => string
  readonly prices: ClassPrices
}

const tierOf = ({ text, prices }: LineRead) => ({ above: Number(text('above')), prices })
const factorOf = ({ text }: LineRead) => (text('factor') === '' ? {} : { factor: Number(text('factor')) })

/** Adds a line to its entry. Returns what is wrong with it. */
const adders: Readonly<Record<Part, (entry: EntryInMaking, line: LineRead) => string | undefined>> = {
  prices: (entry, { prices }) => void (entry.prices = { ...entry.prices, ...prices }),
  tier: (entry, line) => void (entry.tiers ??= []).push(tierOf(line)),
  mode(entry, line) {
    const { text, prices } = line
    const match = Object.fromEntries(modeFields.flatMap((name) => (text(name) ? [[name, text(name)]] : [])))
    const own = Object.keys(prices).length > 0 && { prices }
    return void (entry.modes ??= []).push({ name: text('name'), match, ...factorOf(line), ...own })
  },
  mode_tier(entry, line) {
    const name = line.text('name')
    const mode = entry.modes?.findLast((one) => one.name === name)
    if (!mode) return `no mode is called ${name} above`
    return void (mode.tiers ??= []).push(tierOf(line))
  },
  schedule(entry, line) {
    const { text } = line
    const days = Array.from(text('days'), Number)
    const hours = { zone: text('zone'), days, from: text('from'), to: text('to') }
    return void (entry.schedules ??= []).push({ name: text('name'), ...hours, ...factorOf(line) })
  },
  no_tiers: (entry) => void (entry.tiers = []),
  no_modes: (entry) => void (entry.modes = []),
  no_schedules: (entry) => void (entry.schedules = []),
}

/** Returns the columns that contain a number; or what is wrong with one. */
function numbersOf(names: typeof priceClasses, text: (name: Column) => string): ClassPrices | string {
  const found: { [Name in (typeof priceClasses)[number]]?: number } = {}
  for (const name of names) {
    const typed = text(name).replace(/^\$/, '')
    if (typed === '') continue
    const number = Number(typed)
    if (!Number.isFinite(number)) return `${name}: ${typed} is not a number`
    found[name] = number
  }
  return found
}

/** Why a part of a file is rejected. */
export interface ImportFault {
  /** From 1; for JSON, the position in its list. */
  readonly line: number
  readonly model: string
  readonly reason: string
}

/** Returns a schema's refusal as text: `tiers.0.above: Too small`. */
export const faultsText = ({ issues }: Pick<ZodError, 'issues'>): string =>
  issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join('; ')
