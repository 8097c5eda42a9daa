import { normalize } from 'node:path'

import { Glob } from 'bun'

/** Test files that run alike. */
export interface Kind {
  readonly name: string
  readonly files: RegExp
  /** How long a file takes beside others, on average: shares of the work are measured by it. */
  readonly secondsPerFile: number
  /** One process takes them all: they share what it makes once. */
  readonly isOneShare?: boolean
  /** It starts the gateway, with its console. */
  readonly needsBuilds?: boolean
  /** Its tests open the databases and Redis. */
  readonly needsServices?: boolean
  readonly cwd?: string
  /** Beside the variables of every run. */
  readonly env?: Readonly<Record<string, string>>
}

/** A file belongs to the first kind that takes it. The dearest files come first, so that the last to run are over soon. */
export const kinds: readonly Kind[] = [
  {
    // They share a site with a week of work in it.
    name: 'pages',
    files: /^e2e\/browser\/(?:every-page|phone|shell|tables|tasks)\.test\.ts$/,
    secondsPerFile: 16,
    isOneShare: true,
    needsBuilds: true,
    needsServices: true,
  },
  { name: 'browser', files: /^e2e\/browser\//, secondsPerFile: 4, needsBuilds: true, needsServices: true },
  { name: 'journeys', files: /^e2e\//, secondsPerFile: 3, needsBuilds: true, needsServices: true },
  {
    name: 'console',
    files: /^console\//,
    secondsPerFile: 0.5,
    // Its tests live in a browser's globals: its own `bunfig.toml` makes them.
    cwd: 'console',
    // The optimizing compiler pays for small functions that run often, and for no others: components are drawn too few times. A garbage
    // collector of its own threads takes a quarter of the processor time, and half of its runs are by the clock, not by what is allocated.
    env: {
      BUN_JSC_thresholdForOptimizeAfterWarmUp: '5000',
      BUN_JSC_thresholdForOptimizeAfterLongWarmUp: '5000',
      BUN_JSC_thresholdForOptimizeSoon: '5000',
      BUN_JSC_maximumOptimizationCandidateBytecodeCost: '3000',
      BUN_JSC_useConcurrentGC: '0',
      BUN_GC_TIMER_DISABLE: '1',
    },
  },
  { name: 'features', files: /^gateway\/src\/console-api\//, secondsPerFile: 0.8, needsServices: true },
  { name: 'scripts', files: /^scripts\//, secondsPerFile: 0.3, needsBuilds: true, needsServices: true },
  { name: 'the rest', files: /^/, secondsPerFile: 0.4, needsServices: true },
]

export function kindOf(file: string): Kind {
  const kind = kinds.find(({ files }) => files.test(file))
  if (!kind) throw new Error(`${file} belongs to no kind of tests`)
  return kind
}

const packages = '{contract,models,dialects,providers,http-client,gateway,console,simulator,bench,e2e,scripts}'

/** Returns every test file, by its path from the root. */
export function allTestFiles(root: string): string[] {
  const found = [...new Glob(`${packages}/**/*.test.{ts,tsx}`).scanSync({ cwd: root })]
  return found.filter((path) => !/(?:^|\/)(?:node_modules|dist)\//.test(path)).sort()
}

/** Returns the files that have one of the words in their path; all, where there is none. @throws Error where no file has a word. */
export function filesWith(words: readonly string[], files: readonly string[]): string[] {
  const parts = words.map((word) => normalize(word))
  for (const part of parts)
    if (!files.some((file) => file.includes(part))) throw new Error(`No test file has ${part} in its path`)
  return files.filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
}
