import type { Database, Queries, Transaction } from './database'
import { isSealedText, type Seal } from './seal'
import { sealedColumns, type SealedColumn, type SealedText } from './sealed-columns'

const pageSize = 200

/** What was found or done in one column. */
export interface ColumnCount {
  readonly name: string
  readonly count: number
}

async function* textsOf(column: SealedColumn, query: Queries | Transaction): AsyncGenerator<SealedText[]> {
  let after: number | string | null = null
  for (;;) {
    const page: SealedText[] = await column.page(query, after, pageSize)
    const last = page.at(-1)
    if (!last) return
    yield page
    after = last.id
  }
}

/** Resolves with the columns that have texts no key of the seal decrypts, and how many. */
export async function unknownTexts({ longRunning }: Database, seal: Seal): Promise<ColumnCount[]> {
  const found: ColumnCount[] = []
  for (const column of sealedColumns) {
    let count = 0
    for await (const page of textsOf(column, longRunning)) {
      count += page.filter((text) => text.text !== '' && plainOf(column, text, seal) === null).length
    }
    if (count > 0) found.push({ name: column.name, count })
  }
  return found
}

/**
 * Reseals everything that is not bound to its place under the current key: a small table in one transaction, the texts of calls page by
 * page. An interrupted run is resumed. Texts that no key decrypts are left unchanged.
 */
export async function resealAll(database: Database, seal: Seal): Promise<ColumnCount[]> {
  const done: ColumnCount[] = []
  for (const column of sealedColumns) {
    const count = column.isSmall
      ? await database.longRunning.transaction().execute((transaction) => resealColumn(column, transaction, seal))
      : await resealColumn(column, database.longRunning, seal)
    done.push({ name: column.name, count })
  }
  return done
}

async function resealColumn(column: SealedColumn, query: Queries | Transaction, seal: Seal): Promise<number> {
  let count = 0
  for await (const page of textsOf(column, query)) {
    for (const old of page) {
      if (old.text === '' || seal.isCurrent(old.text)) continue
      const plain = plainOf(column, old, seal)
      if (plain === null) continue
      await column.replace(query, old, seal.seal(plain, old.context))
      count += 1
    }
  }
  return count
}

/** Returns null when no key decrypts it. Texts of calls were not encrypted in earlier releases. */
function plainOf(column: SealedColumn, { text, context }: SealedText, seal: Seal): string | null {
  if (!column.isSmall && !isSealedText(text)) return text
  try {
    return seal.open(text, context)
  } catch {
    return null
  }
}
