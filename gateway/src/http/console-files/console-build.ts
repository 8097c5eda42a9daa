import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { z } from 'zod'

import { encodings } from './accept-encoding'
import { embedded } from './embedded'

/** The name of the list in the folder of a build. `scripts/console/pack.ts` writes it. */
export const listName = 'files.json'

/** What a build made: every file that is served, with the encodings that lie beside it as `.br` and `.gz`. */
export const ConsoleFileList = z.array(
  z.object({
    /** Below the folder, with forward slashes. */
    name: z.string(),
    bytes: z.number(),
    /** Of its content. */
    hash: z.string(),
    encoded: z.partialRecord(z.enum(encodings), z.number()),
  }),
)
export type ConsoleFile = z.infer<typeof ConsoleFileList>[number]

/** A console that was built. */
export interface ConsoleBuild {
  readonly files: readonly ConsoleFile[]
  /** The file on disk, or inside the executable. */
  locate(name: string): string
  /** False when another build has taken its place meanwhile. */
  isCurrent(): boolean
}

const builtFolder = join(import.meta.dir, '../../../../console/dist')

/** The console inside this executable, else the one in the folder (default: of this checkout); null when there is none. */
export function findConsoleBuild(folder = builtFolder): ConsoleBuild | null {
  const locate = (name: string) => embedded?.[name] ?? join(folder, name)
  const list = locate(listName)
  const madeAt = timeOf(list)
  if (madeAt === undefined) return null
  return {
    files: ConsoleFileList.parse(JSON.parse(readFileSync(list, 'utf8'))),
    locate,
    isCurrent: () => embedded !== null || timeOf(list) === madeAt,
  }
}

const timeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs
