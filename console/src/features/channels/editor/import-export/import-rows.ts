import { channelRoutes, readCsv, type RouteSent } from '@tollgate/contract'
import * as z from 'zod'

import { defaultGroup, listOf, withoutSlash } from '../channel-form'

type SentChannel = NonNullable<RouteSent<typeof channelRoutes.createChannel>['body']>

const number = z.coerce.number().int()
const text = z.coerce.string()
const commaText = z.union([z.string(), z.array(z.string()).transform((list) => list.join(','))])

type Fields = channelRoutes.ChannelFields

function cellOf(name: keyof Fields) {
  const blank = channelRoutes.blankFields[name]
  if (typeof blank === 'number') return number.optional()
  return blank === null ? text.nullable().optional() : text.optional()
}
const cells = channelRoutes.channelFieldNames.map((name) => [name, cellOf(name)])

/** A channel in a file. Unknown columns are ignored: an export of another site may have more. */
const ImportedChannel = z.object({
  ...(Object.fromEntries(cells) as { readonly [Name in keyof Fields]: z.ZodType<Fields[Name] | undefined> }),
  name: text.default(''),
  type: number.optional().catch(undefined),
  base_url: text.default(''),
  key: text.default(''),
  models: commaText.default(''),
  group: commaText.default(''),
})
type ImportedChannel = z.output<typeof ImportedChannel>

/** Why a row cannot become a channel: the texts under `import.fault`. */
type RowFault = 'name' | 'key' | 'models' | 'type' | 'group' | 'values'

export interface ImportRow {
  /** Row number in the file, from 1. */
  readonly position: number
  readonly name: string
  readonly channel: SentChannel
  readonly fault: RowFault | undefined
}

/** What rows are validated against. */
export interface ImportGround {
  readonly types: ReadonlySet<number>
  readonly groups: ReadonlySet<string>
  /** For rows without a type. */
  readonly type: number | undefined
  /** Keys entered in the preview, by row number: exports contain none. */
  readonly keys: ReadonlyMap<number, string>
}

/** Returns the records of a JSON export or of CSV lines. Undefined when the text is neither. */
export function recordsOf(source: string): readonly unknown[] | undefined {
  const trimmed = source.replace(/^\uFEFF/, '').trim()
  if (!/^[[{]/.test(trimmed)) return recordsOfCsv(trimmed)
  try {
    const value: unknown = JSON.parse(trimmed)
    if (Array.isArray(value)) return value
    return z.object({ channels: z.array(z.unknown()) }).parse(value).channels
  } catch {
    return undefined
  }
}

/** Columns of lines without a header. */
const plainColumns = ['name', 'base_url', 'key', 'models', 'group']

function recordsOfCsv(source: string): readonly unknown[] {
  const rows = readCsv(source).map(({ cells }) => cells)
  const [first = []] = rows
  const hasHead = first.includes('name') && first.includes('models')
  const columns = hasHead ? first : plainColumns
  return rows
    .slice(hasHead ? 1 : 0)
    .map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] || undefined])))
}

/** Returns the rows as they would be created, each with its faults. */
export const rowsOf = (records: readonly unknown[], ground: ImportGround): ImportRow[] =>
  records.map((record, index) => rowOf(record, index + 1, ground))

function rowOf(record: unknown, index: number, ground: ImportGround): ImportRow {
  const parseJson = ImportedChannel.safeParse(record)
  if (!parseJson.success) return { position: index, name: '', channel: {}, fault: 'values' }
  const { data } = parseJson
  const channel = {
    ...data,
    name: data.name.trim(),
    type: data.type ?? ground.type,
    key: data.key.trim() || (ground.keys.get(index)?.trim() ?? ''),
    base_url: withoutSlash(data.base_url),
    models: partsOf(data.models).join(','),
    group: partsOf(data.group).join(',') || defaultGroup,
  }
  return { position: index, name: channel.name, channel, fault: faultOf(channel, ground) }
}

/** Within a CSV cell, semicolons and bars separate list items. */
const partsOf = (cell: string): string[] => listOf(cell.replaceAll(/[;|]/g, ','))

function faultOf(channel: ImportedChannel, { types, groups }: ImportGround): RowFault | undefined {
  if (channel.name === '') return 'name'
  if (channel.type === undefined || !types.has(channel.type)) return 'type'
  if (channel.models === '') return 'models'
  if (!listOf(channel.group).every((group) => groups.has(group))) return 'group'
  return channel.key === '' ? 'key' : undefined
}
