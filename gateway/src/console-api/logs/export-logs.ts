import { csvFile, type CsvColumn } from '../../http/response/csv-file'
import type { FileAnswer } from '../../http/response/file-response'
import type { Call } from '../../http/handler'
import type { LogRow } from '../../platform/store/tables'
import { eachLog } from './each-log'
import type { LogFilter } from './log-filter'

/** How rows become lines, for one kind of reader. */
export interface LogTable<Entity> {
  readonly columns: readonly CsvColumn<Entity>[]
  readonly entity: (row: LogRow) => Entity
}

/** Returns all rows within the filters as a file. */
export function exportLogs<Entity>(
  filter: LogFilter,
  { columns, entity }: LogTable<Entity>,
  call: Call,
): Promise<FileAnswer> {
  async function* entities() {
    for await (const rows of eachLog(call.ctx.database.query, filter)) yield rows.map(entity)
  }
  return csvFile('logs', columns, entities(), call)
}
