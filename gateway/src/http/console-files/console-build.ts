import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { z } from 'zod'

import { encodings } from './accept-encoding'
import { embedded } from './embedded'

/** The name of the list in the folder of a build. `scripts/console/pack.ts` writes it. */
export const listName = 'files.json'

/** The output of a build: every file that is served, with its encodings, stored next to it as `.br` and `.gz`. */
export const ConsoleFileList = z.array(
  z.object({
    /** Below the folder, with forward slashes. */
    name: z.string(),
    bytes: z.number(),
    /** Hash of its content. */
    hash: z.string(),
    encoded: z.partialRecord(z.enum(encodings), z.number()),
  }),
)
export type ConsoleFile = z.infer<typeof ConsoleFileList>[number]

/** A console that was built. */
export interface ConsoleBuild {
  readonly files: readonly ConsoleFile[]
  /** Returns the path of a file on disk, or inside the executable. */
  locate(name: string): string
  /** Returns false when another build has replaced it meanwhile. */
  isCurrent(): boolean
}

const builtFolder = join(import.meta.dir, '../../../../console/dist')

/** Returns the console inside this executable, otherwise the one in the folder (default: of this checkout); null when there is none. */
export function findConsoleBuild(folder = builtFolder): ConsoleBuild | null {
  const locate = (name: string) => embedded?.[name] ?? join(folder, name)
  const list = locate(listName)
  const builtAt = timeOf(list)
  if (builtAt === undefined) return null
  return {
    files: ConsoleFileList.parse(JSON.parse(readFileSync(list, 'utf8'))),
    locate,
    isCurrent: () => embedded !== null || timeOf(list) === builtAt,
  }
}

const timeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs
