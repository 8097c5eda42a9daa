import { sql } from 'kysely'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { lockBalance } from '../../billing/ledger/lease/lease-store'
import type { Queries } from '../../platform/store/database'
import type { FileRow } from '../../platform/store/tables'
import { bucketOf, keyIn, type Bucket } from '../bucket/bucket'
import { orAway } from '../bucket/bucket-failure'
import { putObject } from '../bucket/bucket-objects'
import { ContentCipher, newContentKey } from './content-cipher'
import { keyContextOf, pieceKey, pieceName } from './file-store'

type Deps = Pick<Context, 'catalog' | 'clock' | 'database' | 'fetch' | 'random' | 'seal' | 'timers'>

/** A piece of a file: what an upload and a download hold in memory. */
export const pieceBytes = 1024 * 1024
export const bytesAMegabyte = 1024 * 1024
/** An upload that was cut short is removed after this. */
const unfinishedSeconds = 6 * 3600

/** A file that is about to be uploaded. */
export interface NewFile {
  readonly publicId: string
  readonly userId: number
  readonly tokenId: number
}

/** What is known of a file once all its bytes are there. */
export interface FileFacts {
  readonly purpose: string
  readonly filename: string
  readonly contentType: string
  /** After this time it is deleted. */
  readonly lifeSeconds: number
}

/** Runs within the transaction that makes a file visible. */
type MarkFinished = (transaction: Queries) => Promise<void>

/**
 * Keeps the bytes of an upload as they come, encrypted, piece by piece: in the site's bucket, else in the database, where every node sees them.
 * The file is not visible before `finish`; what an upload that was cut short left behind is removed by a job.
 */
export class FileWriter {
  /** One for all pieces, filled as bytes arrive. */
  readonly #piece = Buffer.allocUnsafe(pieceBytes)
  #pendingBytes = 0
  #bytes = 0
  #pieces = 0

  private constructor(
    private readonly deps: Deps,
    private readonly row: FileRow,
    private readonly cipher: ContentCipher,
    private readonly bucket: Bucket | null,
  ) {}

  static async begin(deps: Deps, { publicId, userId, tokenId }: NewFile): Promise<FileWriter> {
    const { catalog, clock, database, random, seal } = deps
    const bucket = bucketOf(catalog.current.options)
    const key = newContentKey(random)
    const now = clock.seconds()
    const row = await database.query
      .insertInto('files')
      .values({
        public_id: publicId,
        user_id: userId,
        token_id: tokenId,
        purpose: '',
        filename: '',
        content_type: '',
        place: bucket ? 'bucket' : '',
        key_sealed: seal.seal(key, keyContextOf(publicId)),
        created_at: now,
        expires_at: now + unfinishedSeconds,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return new FileWriter(deps, row, new ContentCipher(key, random), bucket)
  }

  /** How many bytes came so far. */
  get bytes(): number {
    return this.#bytes + this.#pendingBytes
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.byteLength > 0;) {
      const taken = rest.subarray(0, pieceBytes - this.#pendingBytes)
      this.#piece.set(taken, this.#pendingBytes)
      this.#pendingBytes += taken.byteLength
      rest = rest.subarray(taken.byteLength)
      if (this.#pendingBytes === pieceBytes) await this.#keepPiece()
    }
  }

  /** Keeps what is left of the bytes. Resolves with the file, which can be read here now. */
  async flush(): Promise<FileRow> {
    await this.#keepPiece()
    return { ...this.row, chunks: this.#pieces, bytes: this.#bytes }
  }

  /** Makes the file visible to its owner, once it is flushed, and marks that in the same transaction. @throws AppError `file.total` where the owner has as much as the site allows. */
  async finish(facts: FileFacts, mark: MarkFinished): Promise<FileRow> {
    const { catalog, clock, database } = this.deps
    const { id, user_id: userId, created_at: createdAt } = this.row
    const maxMegabytes = catalog.current.options.FileUserMegabytes
    return database.query.transaction().execute(async (transaction) => {
      // One upload of a user after the other: two cannot both take the last room.
      await lockBalance(database, transaction, 'user', userId)
      const { sum } = await transaction
        .selectFrom('files')
        .select(({ fn }) => fn.coalesce(fn.sum<number>('bytes'), sql<number>`0`).as('sum'))
        .where('user_id', '=', userId)
        .where('is_stored', '=', 1)
        .where('batch_id', '=', '')
        .where('expires_at', '>', clock.seconds())
        .executeTakeFirstOrThrow()
      if (sum + this.#bytes > maxMegabytes * bytesAMegabyte)
        throw new AppError('file.total', { params: { limit: maxMegabytes } })
      await mark(transaction)
      return transaction
        .updateTable('files')
        .set({
          purpose: facts.purpose,
          filename: facts.filename,
          content_type: facts.contentType,
          bytes: this.#bytes,
          chunks: this.#pieces,
          is_stored: 1,
          expires_at: createdAt + facts.lifeSeconds,
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
    })
  }

  /** Gives an upload up: a job removes what there is of it. */
  async abandon(): Promise<void> {
    const { clock, database } = this.deps
    await database.query
      .updateTable('files')
      .set({ expires_at: clock.seconds() })
      .where('id', '=', this.row.id)
      .execute()
  }

  async #keepPiece(): Promise<void> {
    const plain = this.#piece.subarray(0, this.#pendingBytes)
    this.#pendingBytes = 0
    if (plain.byteLength === 0) return
    const { database } = this.deps
    const { id, public_id: publicId } = this.row
    const number = this.#pieces
    const content = this.cipher.encrypt(plain, pieceName(publicId, number))
    if (this.bucket) {
      // An upload that is cut short says how many objects it may have left.
      await database.query
        .updateTable('files')
        .set({ chunks: number + 1 })
        .where('id', '=', id)
        .execute()
      await this.#put(this.bucket, pieceKey(publicId, number), content)
    } else await database.query.insertInto('file_chunks').values({ file_id: id, number, content }).execute()
    this.#pieces += 1
    this.#bytes += plain.byteLength
  }

  #put(bucket: Bucket, name: string, content: Buffer<ArrayBuffer>): Promise<void> {
    const sha256 = new Bun.CryptoHasher('sha256').update(content).digest('hex')
    const object = { key: keyIn(bucket, name), contentType: 'application/octet-stream' }
    return orAway(putObject(this.deps, bucket, object, { body: content, size: content.byteLength, sha256 }))
  }
}
