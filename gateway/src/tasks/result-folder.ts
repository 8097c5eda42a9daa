import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Context } from '../context'

type Parts = Pick<Context, 'config'>

const folderOf = ({ config }: Parts): string => join(config.dataDir, 'task-results')

/** Returns whether results of finished tasks are kept here. */
export const keepsResults = ({ catalog }: Pick<Context, 'catalog'>): boolean =>
  catalog.current.options.TaskResultStorage === 'folder'

/** A result that is kept in the data folder. */
export interface KeptFile {
  /** Below the folder of results: the day, and a name that no client chose. */
  readonly name: string
  readonly contentType: string
}

/** The file is longer than the site keeps. */
export class ResultTooLarge extends Error {
  override readonly name = 'ResultTooLarge'
  constructor() {
    super('The result is too large to be kept')
  }
}

/**
 * Writes the bytes of a result into the folder of its day, whole or not at all.
 * @throws ResultTooLarge for more than `mostBytes`; errors of the disk and of the stream.
 */
export async function keepResult(
  parts: Parts,
  { name, contentType }: KeptFile,
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>,
  mostBytes: number,
): Promise<void> {
  const path = join(folderOf(parts), name)
  await mkdir(join(path, '..'), { recursive: true })
  const unfinished = `${path}.unfinished`
  try {
    const writer = Bun.file(unfinished, { type: contentType }).writer()
    let size = 0
    for await (const bytes of body instanceof Uint8Array ? [body] : body) {
      size += bytes.byteLength
      if (size > mostBytes) {
        await writer.end()
        throw new ResultTooLarge()
      }
      void writer.write(bytes)
      await writer.flush()
    }
    await writer.end()
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Resolves with a kept file; null where it has expired, or another machine has it. */
export async function keptResult(parts: Parts, { name, contentType }: KeptFile): Promise<Bun.BunFile | null> {
  const file = Bun.file(join(folderOf(parts), name), { type: contentType })
  return (await file.exists()) ? file : null
}

/** Returns the folder of a day, as it stands in names. */
export const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

/** Removes the folders of days before `oldest`, a day as `dayOf` returns it. */
export async function pruneResults(parts: Parts, oldest: string): Promise<void> {
  const days = await readdir(folderOf(parts)).catch(() => [])
  for (const day of days)
    if (/^\d{4}-\d{2}-\d{2}$/.test(day) && day < oldest) await rm(join(folderOf(parts), day), { recursive: true })
}
