import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'

/** Escapes everything that LIKE would read as a wildcard. */
const literal = (text: string): string => text.replace(/[\\%_]/g, (mark) => `\\${mark}`)

/** Returns a condition that a column contains the text, ignoring case. The database folds both sides, each in its own way. */
export const containing = (column: Expression<unknown>, text: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`lower(${column}) like lower(${`%${literal(text)}%`}) escape '\\'`

/** Returns the same for a column whose case the database has already folded. */
export const containingFolded = (column: Expression<unknown>, text: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${column} like lower(${`%${literal(text)}%`}) escape '\\'`

/** Returns a condition that such a column begins with the text. */
export const beginningFolded = (column: Expression<unknown>, text: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${column} like lower(${`${literal(text)}%`}) escape '\\'`

/** Returns a condition that a column is the text, ignoring case. */
export const equalFolded = (column: Expression<unknown>, text: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`lower(${column}) = lower(${text})`

/** Returns a condition that a column matches a pattern in which `%` stands for any text and nothing else is special. */
export const matchingPattern = (column: Expression<unknown>, pattern: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`lower(${column}) like lower(${pattern.split('%').map(literal).join('%')}) escape '\\'`
