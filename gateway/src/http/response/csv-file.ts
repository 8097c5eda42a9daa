import { byteOrderMark, csvLine, type CsvCell } from '@tollgate/contract'

import type { FileResult } from './file-response'
import type { Call } from '../handler'
import type { Language } from '../language'
import { WorkQueue } from '../../platform/time/work-queue'
import { textStream } from './text-stream'

/** The parts of the exports of all users. */
const longReads = new WorkQueue({ running: 2, perKey: 2, waiting: 64 })

/** One column of a CSV file. */
export interface CsvColumn<Row> {
  readonly name: Readonly<Record<Language, string>>
  /** `inDollars` converts quota. */
  cell(row: Row, language: Language, inDollars: (quota: number) => number): CsvCell
}

/** Returns the columns of an amount: in quota, and in US dollars. */
export const moneyColumns = <Row>(
  name: CsvColumn<Row>['name'],
  quotaOf: (row: Row) => number,
): readonly CsvColumn<Row>[] => [
  { name: { en: `${name.en} (USD)`, zh: `${name.zh}（美元）` }, cell: (row, _, inDollars) => inDollars(quotaOf(row)) },
  { name: { en: `${name.en} (quota)`, zh: `${name.zh}（额度）` }, cell: (row) => quotaOf(row) },
]

/** Returns rows as a file, written while it is sent. The first list is read beforehand, so that its failure is still an error response. */
export async function csvFile<Row>(
  name: string,
  columns: readonly CsvColumn<Row>[],
  lists: AsyncGenerator<readonly Row[]>,
  { ctx, language, requestId }: Pick<Call, 'ctx' | 'language' | 'requestId'>,
): Promise<FileResult> {
  // A list is read in a turn of its own; the client's time for it is not waited for there.
  const next = () => longReads.run(() => lists.next())
  const first = await next()
  const { QuotaPerUnit: perDollar } = ctx.catalog.current.options
  const inDollars = (quota: number) => Number((quota / perDollar).toFixed(dollarDigits))
  const line = (row: Row) => csvLine(columns.map((column) => column.cell(row, language, inDollars)))
  async function* parts() {
    const head = byteOrderMark + csvLine(columns.map((column) => column.name[language]))
    yield head + (first.done ? '' : first.value.map(line).join(''))
    try {
      for (let list = await next(); !list.done; list = await next()) yield list.value.map(line).join('')
    } finally {
      await lists.return(undefined)
    }
  }
  return {
    name: `${name}-${fileTime(ctx.clock.now())}.csv`,
    body: textStream(parts(), (error) => ctx.log.error({ error, requestId }, `a file of ${name} broke off`)),
  }
}

const dollarDigits = 8

/** 20260131-235959, in UTC. */
const fileTime = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')

export const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
