import { closeSync, openSync, writeSync } from 'node:fs'

import { csvLine } from '@tollgate/contract'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'

import type { ExportedColumn, ExportedRow } from './exported-table'

/** A file that rows are written to, a list at a time. */
interface RowFile {
  write(rows: readonly ExportedRow[]): void | Promise<void>
  close(): void | Promise<void>
}

type OpenFile = (path: string, columns: readonly ExportedColumn[]) => RowFile

const openCsv: OpenFile = (path, columns) => {
  const file = openSync(path, 'w', 0o600)
  const line = (row: ExportedRow) => csvLine(columns.map(({ name }) => row[name] ?? ''))
  writeSync(file, csvLine(columns.map(({ name }) => name)))
  return {
    write: (rows) => void writeSync(file, rows.map(line).join('')),
    close: () => closeSync(file),
  }
}

/** Rows that are compressed together. */
const rowGroupSize = 20_000

class ParquetFile implements RowFile {
  readonly #columns: readonly ExportedColumn[]
  readonly #writer: ParquetWriter
  #rows: ExportedRow[] = []

  constructor(path: string, columns: readonly ExportedColumn[]) {
    this.#columns = columns
    this.#writer = new ParquetWriter({
      writer: fileWriter(path),
      schema: [
        { name: 'root', num_children: columns.length },
        ...columns.map(({ name, type }) =>
          type === 'number'
            ? ({ name, type: 'INT64', repetition_type: 'REQUIRED' } as const)
            : ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' } as const),
        ),
      ],
    })
  }

  async write(rows: readonly ExportedRow[]): Promise<void> {
    this.#rows.push(...rows)
    if (this.#rows.length >= rowGroupSize) await this.#writeGroup()
  }

  async close(): Promise<void> {
    if (this.#rows.length > 0) await this.#writeGroup()
    await this.#writer.finish()
  }

  async #writeGroup(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    const columnData = this.#columns.map(({ name, type }) => ({
      name,
      data: rows.map((row) => (type === 'number' ? BigInt(row[name] ?? 0) : String(row[name] ?? ''))),
    }))
    await this.#writer.write({ columnData, rowGroupSize: rows.length })
  }
}

export const exportFormats = ['csv', 'parquet'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const openFile: Readonly<Record<ExportFormat, OpenFile>> = {
  csv: openCsv,
  parquet: (path, columns) => new ParquetFile(path, columns),
}

export const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
}
