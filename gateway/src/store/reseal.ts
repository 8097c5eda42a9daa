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

/** Returns the columns with texts that no key of the seal opens, and how many. */
export async function unknownTexts({ patient }: Database, seal: Seal): Promise<ColumnCount[]> {
  const found: ColumnCount[] = []
  for (const column of sealedColumns) {
    let count = 0
    for await (const page of textsOf(column, patient)) {
      count += page.filter((text) => text.text !== '' && plainOf(column, text, seal) === null).length
    }
    if (count > 0) found.push({ name: column.name, count })
  }
  return found
}

/**
 * Seals everything anew that is not bound to its place under the present key: a small table in one transaction, the texts of calls page
 * by page. What was done before it broke off is not done again. Texts that no key opens stay as they are.
 */
export async function resealAll(database: Database, seal: Seal): Promise<ColumnCount[]> {
  const done: ColumnCount[] = []
  for (const column of sealedColumns) {
    const count = column.isSmall
      ? await database.patient.transaction().execute((transaction) => resealColumn(column, transaction, seal))
      : await resealColumn(column, database.patient, seal)
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
      await column.replace(query, old, seal.seal(plain, old.place))
      count += 1
    }
  }
  return count
}

/** Null when no key opens it. Texts of calls stood open in earlier releases. */
function plainOf(column: SealedColumn, { text, place }: SealedText, seal: Seal): string | null {
  if (!column.isSmall && !isSealedText(text)) return text
  try {
    return seal.open(text, place)
  } catch {
    return null
  }
}
