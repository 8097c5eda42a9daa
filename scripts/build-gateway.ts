import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

import type { BunPlugin } from 'bun'

import { commitDefine, commitOf } from './commit-of'
import { contentStamp } from './content-stamp'

/**
 * The gateway in a few files instead of a thousand: it starts sooner and takes less memory than from its sources. Each build
 * has a folder of its own in gateway/dist, so that a gateway that runs goes on with the build it was started from.
 */

const root = join(import.meta.dir, '..')
const builds = join(root, 'gateway/dist')
/** So many stay that were used last. */
const maxBuilds = 5

/** All that a build depends on. */
const sources = [
  '{contract,models,dialects,providers,http-client,gateway}/package.json',
  '{contract,models,dialects,providers,http-client,gateway}/src/**/*.{ts,json}',
  'scripts/build-gateway.ts',
  'package.json',
  'bun.lock',
]
const isOther = /\.test\.ts$|\/fixtures\//

/** Resolves with the file to start, built from these sources now or earlier. */
export async function buildGateway(): Promise<string> {
  const stamp = await contentStamp(root, { sources, isOther })
  const commit = commitOf(root)
  const folder = join(builds, [Bun.version, stamp.slice(0, 16), ...(commit === '' ? [] : [commit])].join('-'))
  if (!existsSync(folder)) await bundle(folder, commit)
  utimesSync(folder, new Date(), new Date())
  removeOld()
  return join(folder, 'main.js')
}

/** Into its place at once: two may start at the same time. */
async function bundle(folder: string, commit: string): Promise<void> {
  mkdirSync(builds, { recursive: true })
  const next = `${folder}.${process.pid}`
  try {
    await Bun.build({
      entrypoints: [join(root, 'gateway/src/main.ts')],
      outdir: next,
      target: 'bun',
      // What is loaded only when it is needed stays apart.
      splitting: true,
      // The runtime keeps the text in memory. Names stay, for stacks that can be read.
      minify: { syntax: true, whitespace: true },
      define: commitDefine(commit),
      plugins: [keepPlaces],
    })
    if (!existsSync(folder)) renameSync(next, folder)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

/** A module that asks where it lies hears where its source does. */
const keepPlaces: BunPlugin = {
  name: 'keep-places',
  setup(build) {
    build.onLoad({ filter: /[\\/]gateway[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const place = `/../../../${relative(root, dirname(path)).replaceAll('\\', '/')}`
      const text = await Bun.file(path).text()
      return { loader: 'ts', contents: text.replaceAll('import.meta.dir', `(import.meta.dir + '${place}')`) }
    })
  },
}

function removeOld(): void {
  const found = readdirSync(builds).map((name) => ({ path: join(builds, name), usedAt: usedAt(join(builds, name)) }))
  const old = found.sort((one, other) => other.usedAt - one.usedAt).slice(maxBuilds)
  for (const { path } of old) rmSync(path, { recursive: true, force: true })
}

/** Another start may have removed it meanwhile. */
const usedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
