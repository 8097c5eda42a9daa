import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { z } from 'zod'

import { UpkeepError } from './upkeep-error'

export const manifestName = 'manifest.json'
export const databaseName = 'tollgate.sqlite'

/** The names a backup may contain, so that restoring writes nowhere else. */
const fileName = z.string().regex(/^(?:tollgate\.sqlite|node-id|secret-key|journal\/(?!\.)[\w.-]+)$/)

const Manifest = z.object({
  format: z.literal(1),
  release: z.string(),
  createdAt: z.iso.datetime(),
  /** `postgres`: the database is not in the backup, only the node's own files. */
  database: z.enum(['sqlite', 'postgres']),
  files: z.array(z.object({ name: fileName, bytes: z.number().int().nonnegative(), sha256: z.string() })),
})

/** The contents of a backup. */
export type Manifest = z.infer<typeof Manifest>

/**
 * Resolves with the manifest of a backup whose files are all there, as they were written.
 * @throws UpkeepError naming what is wrong with it.
 */
export async function readBackup(folder: string): Promise<Manifest> {
  const manifest = parseManifest(folder)
  for (const { name, bytes, sha256 } of manifest.files) {
    const path = join(folder, name)
    const isWhole = statSync(path, { throwIfNoEntry: false })?.size === bytes && (await hashOf(path)) === sha256
    if (!isWhole) throw new UpkeepError(`The backup is damaged: ${path} is missing or was changed.`)
  }
  return manifest
}

/** Parses the manifest of a backup. @throws UpkeepError when it cannot be read. */
export function parseManifest(folder: string): Manifest {
  const path = join(folder, manifestName)
  try {
    return Manifest.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new UpkeepError(`${folder} is not a backup of this program: ${manifestName} is missing or unreadable.`, {
      cause,
    })
  }
}

/** Resolves with a file's entry in the manifest. */
export const describeFile = async (folder: string, name: string): Promise<Manifest['files'][number]> => ({
  name,
  bytes: statSync(join(folder, name)).size,
  sha256: await hashOf(join(folder, name)),
})

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part as Uint8Array)
  return hash.digest('hex')
}
