import type { TableEntries } from '@tollgate/contract'
import * as z from 'zod'

import { strategyChoices } from './table-columns'

/** The cells of a line as typed, its name or names first. */
export type TableRow = readonly string[]

/** The text of a flag that is set; the other is empty. */
export const checked = 'true'

interface TableShape {
  /** Number of leading cells that identify the line; 0: duplicates are allowed. */
  readonly names: number
  /** What an empty text means. */
  readonly empty: unknown
  /** Returns the lines of JSON of this shape; throws a ZodError for any other. */
  readonly read: (json: unknown) => readonly TableRow[]
  /** Returns the JSON of lines with distinct names. */
  readonly write: (rows: readonly TableRow[]) => unknown
}

const Cell = z.union([z.string(), z.number()]).transform(String)
const Cells = z.record(z.string(), Cell)

/** Returns a number, or the text itself if it is not one, which the validation refuses. */
const numberOf = (cell: string): number | string =>
  cell.trim() !== '' && Number.isFinite(Number(cell)) ? Number(cell) : cell

/** A payment method; one with other members is edited as text. */
const Method = z.strictObject({
  type: Cell,
  name: Cell,
  color: Cell.default(''),
  min_topup: Cell.default(''),
  /** Has no column, and is preserved. */
  icon: Cell.default(''),
})

/** Empty cells are left out. */
const methodOf = ([type = '', name = '', color = '', minTopUp = '', icon = '']: TableRow) => ({
  type,
  name,
  ...(color !== '' && { color }),
  ...(minTopUp !== '' && { min_topup: numberOf(minTopUp) }),
  ...(icon !== '' && { icon }),
})

/** A bonus on top-ups. */
const Bonus = z.strictObject({
  from: Cell,
  quota: Cell.default(''),
  percent: Cell.default(''),
  once: z.boolean().default(false),
})

/** An object in a vendor's account. */
const VendorObject = z.strictObject({ id: Cell, channel: Cell, name: Cell.default(''), groups: Cell.default('') })

/** The strategy for a group and models. Absent parts of a mix are empty cells. */
const StrategyRule = z.strictObject({
  group: Cell.default(''),
  model: Cell,
  strategy: Cell,
  cost: Cell.default(''),
  speed: Cell.default(''),
  load: Cell.default(''),
})

/** A line without a model is for all. */
const strategyRuleOf = ([group = '', model = '', strategy = '', cost = '', speed = '', load = '']: TableRow) => ({
  ...(group !== '' && { group }),
  model: model === '' ? '*' : model,
  strategy: strategy === '' ? strategyChoices[0] : strategy,
  ...(cost !== '' && { cost: numberOf(cost) }),
  ...(speed !== '' && { speed: numberOf(speed) }),
  ...(load !== '' && { load: numberOf(load) }),
})

const flat = (write: (cell: string) => unknown): TableShape => ({
  names: 1,
  empty: {},
  read: (json) => Object.entries(Cells.parse(json)),
  write: (rows) => Object.fromEntries(rows.map(([name = '', value = '']) => [name, write(value)])),
})

const shapes: Readonly<Record<TableEntries, TableShape>> = {
  number: flat(numberOf),
  text: flat((cell) => cell),
  link: {
    names: 0,
    empty: [],
    read: (json) =>
      z
        .array(Cells.refine((entry) => Object.keys(entry).length === 1))
        .parse(json)
        .flatMap((entry) => Object.entries(entry)),
    write: (rows) => rows.map(([name = '', link = '']) => Object.fromEntries([[name, link]])),
  },
  matrix: {
    names: 2,
    empty: {},
    read: (json) =>
      Object.entries(z.record(z.string(), Cells).parse(json)).flatMap(([outer, inner]) =>
        Object.entries(inner).map(([name, value]) => [outer, name, value]),
      ),
    write: (rows) => {
      const byOuter = Map.groupBy(rows, ([outer = '']) => outer)
      const tableOf = (lines: readonly TableRow[]) =>
        Object.fromEntries(lines.map(([, name = '', value = '']) => [name, numberOf(value)]))
      return Object.fromEntries([...byOuter].map(([outer, lines]) => [outer, tableOf(lines)]))
    },
  },
  limits: {
    names: 1,
    empty: {},
    read: (json) =>
      Object.entries(z.record(z.string(), z.tuple([Cell, Cell])).parse(json)).map(([name, limits]) => [
        name,
        ...limits,
      ]),
    write: (rows) =>
      Object.fromEntries(
        rows.map(([name = '', total = '', success = '']) => [name, [numberOf(total), numberOf(success)]]),
      ),
  },
  amounts: {
    names: 1,
    empty: [],
    read: (json) =>
      z
        .array(Cell)
        .parse(json)
        .map((amount) => [amount]),
    write: (rows) => rows.map(([amount = '']) => numberOf(amount)),
  },
  bonus: {
    names: 0,
    empty: [],
    read: (json) =>
      z
        .array(Bonus)
        .parse(json)
        .map(({ from, quota, percent, once }) => [from, quota, percent, once ? checked : '']),
    write: (rows) =>
      rows.map(([from = '', quota = '', percent = '', once = '']) => ({
        from: numberOf(from),
        ...(quota !== '' && { quota: numberOf(quota) }),
        ...(percent !== '' && { percent: numberOf(percent) }),
        ...(once === checked && { once: true }),
      })),
  },
  method: {
    names: 1,
    empty: [],
    read: (json) =>
      z
        .array(Method)
        .parse(json)
        .map(({ type, name, color, min_topup: minTopUp, icon }) => [type, name, color, minTopUp, icon]),
    write: (rows) => rows.map(methodOf),
  },
  object: {
    names: 0,
    empty: [],
    read: (json) =>
      z
        .array(VendorObject)
        .parse(json)
        .map(({ id, channel, name, groups }) => [id, channel, name, groups]),
    write: (rows) =>
      rows.map(([id = '', channel = '', name = '', groups = '']) => ({
        id,
        channel: numberOf(channel),
        ...(name !== '' && { name }),
        ...(groups !== '' && { groups }),
      })),
  },
  strategy: {
    names: 0,
    empty: [],
    read: (json) =>
      z
        .array(StrategyRule)
        .parse(json)
        .map(({ group, model, strategy, cost, speed, load }) => [group, model, strategy, cost, speed, load]),
    write: (rows) => rows.map(strategyRuleOf),
  },
}

/** Returns the lines of a JSON table, or undefined for any other text. */
export function rowsOf(text: string, entries: TableEntries): readonly TableRow[] | undefined {
  const { empty, read } = shapes[entries]
  try {
    return read(text.trim() === '' ? empty : JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Returns the indexes of lines with duplicate names, of which only the last would count. */
export function repeatedLines(rows: readonly TableRow[], entries: TableEntries): ReadonlySet<number> {
  const { names } = shapes[entries]
  const named = rows.flatMap((row, index) => {
    const cells = row.slice(0, names)
    return cells.length > 0 && cells.every((cell) => cell !== '') ? [{ key: JSON.stringify(cells), index }] : []
  })
  const alike = [...Map.groupBy(named, ({ key }) => key).values()].filter(({ length }) => length > 1)
  return new Set(alike.flat().map(({ index }) => index))
}

/** Returns the JSON text of the lines, without empty ones. Duplicate names make a list of lines, which the validation refuses. */
export function tableText(rows: readonly TableRow[], entries: TableEntries): string {
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  return JSON.stringify(repeatedLines(filled, entries).size > 0 ? filled : shapes[entries].write(filled))
}
