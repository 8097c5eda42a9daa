import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'
import type { SealContext } from '../../platform/store/seal'
import type { FileRow } from '../../platform/store/tables'
import type { TaskOwner } from '../task-store'
import { ContentCipher } from './content-cipher'

/** Returns the form of ids that files have here; those of vendors have other forms. */
export const isFileId = (id: string): boolean => /^file[-_]tg[0-9A-Za-z]{24}$/.test(id)

/** Returns whether names in a request may be of files that are kept here. */
export const namesFiles = (names: readonly { readonly id: string }[]): boolean => names.some(({ id }) => isFileId(id))

export const keyContextOf = (publicId: string): SealContext => `files.key_sealed#${publicId}`

export const cipherOf = (
  { seal, random }: Pick<Context, 'seal' | 'random'>,
  { public_id: id, key_sealed: sealed }: Pick<FileRow, 'public_id' | 'key_sealed'>,
): ContentCipher => new ContentCipher(seal.open(sealed, keyContextOf(id)), random)

/** Returns what binds a piece of a file to its place. */
export const pieceName = (publicId: string, number: number): string => `${publicId}#${number}`

/** Returns the key of a piece in the bucket, below its prefix. Days, by which results expire there, sort before it. */
export const pieceKey = (publicId: string, number: number): string =>
  `files/${publicId}/${String(number).padStart(6, '0')}`

/** Files that an owner sees: uploaded whole, and not expired. */
const visibleFiles = (query: Queries | Transaction, { userId, tokenId }: TaskOwner, now: number) =>
  query
    .selectFrom('files')
    .selectAll()
    .where('user_id', '=', userId)
    .where('is_stored', '=', 1)
    .where('expires_at', '>', now)
    .$if(tokenId !== null, (select) => select.where('token_id', '=', tokenId ?? 0))

/** Resolves with a file of its owner; undefined also for one of another. */
export const ownFile = (
  query: Queries | Transaction,
  publicId: string,
  owner: TaskOwner,
  now: number,
): Promise<FileRow | undefined> => visibleFiles(query, owner, now).where('public_id', '=', publicId).executeTakeFirst()

/** Resolves with those of these files that are the owner's. */
export const ownFiles = (
  query: Queries,
  publicIds: readonly string[],
  owner: TaskOwner,
  now: number,
): Promise<FileRow[]> => visibleFiles(query, owner, now).where('public_id', 'in', publicIds).execute()

/** A page of an owner's files. */
export interface FilePage {
  readonly owner: TaskOwner
  /** Null: of any. */
  readonly purpose: string | null
  /** Those alone; empty: all. */
  readonly ids: readonly string[]
  readonly limit: number
  readonly isAscending: boolean
  /** The row that the page comes after, in its order. */
  readonly after: FileRow | null
}

/** Resolves with one file more than the page has, where there are more. */
export const listFiles = (
  query: Queries,
  { owner, purpose, ids, limit, isAscending, after }: FilePage,
  now: number,
): Promise<FileRow[]> =>
  visibleFiles(query, owner, now)
    .$if(purpose !== null, (select) => select.where('purpose', '=', purpose ?? ''))
    .$if(ids.length > 0, (select) => select.where('public_id', 'in', ids))
    .$if(after !== null, (select) => select.where('id', isAscending ? '>' : '<', after?.id ?? 0))
    .orderBy('id', isAscending ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute()

/** Makes a file expire now: its bytes are removed by a job. Returns whether it was there. */
export async function expireFile(query: Queries | Transaction, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('files')
    .set({ expires_at: now })
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
