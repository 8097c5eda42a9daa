import type { FileAnswer } from '../../http/file-answer'
import type { Call, Language } from '../../http/handler'
import { textStream } from '../../http/text-stream'
import type { LogRow } from '../../store/tables'
import { byteOrderMark, csvLine } from './csv'
import { eachLog } from './each-log'
import type { LogColumn } from './log-columns'
import type { LogFilter } from './log-filter'

/** How rows become lines, for one kind of reader. */
export interface LogTable<Entity> {
  readonly columns: readonly LogColumn<Entity>[]
  readonly entity: (row: LogRow) => Entity
}

/** All rows within the filters as a file. The first rows are read before it answers, so that a failure can still be told. */
export async function exportLogs<Entity>(filter: LogFilter, table: LogTable<Entity>, call: Call): Promise<FileAnswer> {
  const { ctx, language, requestId } = call
  const lists = eachLog(ctx.database.query, filter)
  const first = await lists.next()
  const parts = lines(first.done ? [] : first.value, lists, table, language)
  return {
    name: `logs-${fileTime(ctx.clock.now())}.csv`,
    body: textStream(parts, (error) => ctx.log.error({ error, requestId }, 'a log file broke off')),
  }
}

async function* lines<Entity>(
  first: readonly LogRow[],
  rest: AsyncGenerator<LogRow[]>,
  { columns, entity }: LogTable<Entity>,
  language: Language,
): AsyncGenerator<string> {
  const line = (row: LogRow) => {
    const shown = entity(row)
    return csvLine(columns.map((column) => column.cell(shown, language)))
  }
  yield byteOrderMark + csvLine(columns.map(({ name }) => name[language])) + first.map(line).join('')
  for await (const rows of rest) yield rows.map(line).join('')
}

/** 20260131-235959, in UTC. */
const fileTime = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
