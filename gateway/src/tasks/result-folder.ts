import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Context } from '../context'
import { randomHex } from '../platform/random'

type Deps = Pick<Context, 'config' | 'random'>

const folderOf = ({ config }: Pick<Deps, 'config'>): string => join(config.dataDir, 'task-results')

/** Returns whether results of finished tasks are kept. */
export const keepsResults = ({ catalog }: Pick<Context, 'catalog'>): boolean =>
  catalog.current.options.TaskResultStorage !== 'provider'

/** A result that is kept. */
export interface StoredFile {
  /** The day, and a name that no client chose; of an object in the bucket its whole key. */
  readonly name: string
  readonly contentType: string
  /** Default: the data folder. */
  readonly place?: 'bucket' | undefined
}

/** The file is longer than the site keeps. */
export class ResultTooLarge extends Error {
  override readonly name = 'ResultTooLarge'
  constructor() {
    super('The result is too large to be kept')
  }
}

/** The bytes of a result, in a file that is deleted in the end unless it was renamed. */
export interface Spooled extends AsyncDisposable {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/**
 * Writes the bytes of a result into a file of the day's folder, where only its end gives it its name.
 * @throws ResultTooLarge for more than `maxBytes`; errors of the disk and of the stream.
 */
export async function spoolResult(
  deps: Deps,
  name: string,
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>,
  maxBytes: number,
): Promise<Spooled> {
  const id = randomHex(deps.random, 8)
  const path = `${join(folderOf(deps), name)}.${id}.unfinished`
  const remove = () => rm(path, { force: true })
  await mkdir(join(path, '..'), { recursive: true })
  const writer = Bun.file(path).writer()
  const hash = new Bun.CryptoHasher('sha256')
  let size = 0
  try {
    for await (const bytes of body instanceof Uint8Array ? [body] : body) {
      size += bytes.byteLength
      if (size > maxBytes) throw new ResultTooLarge()
      hash.update(bytes)
      void writer.write(bytes)
      await writer.flush()
    }
    await writer.end()
  } catch (error) {
    // A disk that is full refuses the end as well.
    await Promise.resolve(writer.end()).catch(() => 0)
    await remove()
    throw error
  }
  return { path, size, sha256: hash.digest('hex'), [Symbol.asyncDispose]: remove }
}

/** Gives a spooled result its name in the folder. */
export const nameResult = (deps: Pick<Deps, 'config'>, { path }: Spooled, name: string): Promise<void> =>
  rename(path, join(folderOf(deps), name))

/** Resolves with a kept file; null where it has expired, or another machine has it. */
export async function findStoredResult(
  deps: Pick<Deps, 'config'>,
  { name, contentType }: StoredFile,
): Promise<Bun.BunFile | null> {
  const file = Bun.file(join(folderOf(deps), name), { type: contentType })
  return (await file.exists()) ? file : null
}

/** Returns the folder of a day, as it stands in names. */
export const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

/** Removes the folders of days before `oldest`, a day as `dayOf` returns it. */
export async function pruneResults(deps: Pick<Deps, 'config'>, oldest: string): Promise<void> {
  const days = await readdir(folderOf(deps)).catch(() => [])
  for (const day of days)
    if (/^\d{4}-\d{2}-\d{2}$/.test(day) && day < oldest) await rm(join(folderOf(deps), day), { recursive: true })
}
