/** A row as the driver has it; parsed where it is read. */
export type SourceRow = Readonly<Record<string, unknown>>

/** Another product's database, read as of one moment and never written. */
export interface SourceDatabase {
  readonly kind: 'sqlite' | 'postgres' | 'mysql'
  /** Resolves with the rows of a statement. */
  select(statement: string): Promise<readonly SourceRow[]>
  /** Returns the name of a table or a column as a statement has it. */
  quote(name: string): string
  /** Resolves with the columns of each table. */
  tables(): Promise<ReadonlyMap<string, ReadonlySet<string>>>
  close(): Promise<void>
}
