import { statSync } from 'node:fs'
import { join } from 'node:path'

import { Glob } from 'bun'

/** What is tested by nothing, as it is a test, helps tests, or is generated. */
const isNoSource =
  /\.(?:test|gen|d)\.tsx?$|(?:^|\/)(?:node_modules|dist|fixtures)\/|^(?:gateway|console)\/test\/|^e2e\//

/** Returns the sources at a path, a file or a folder. @throws Error where there are none. */
export function sourcesIn(root: string, path: string): string[] {
  const isFolder = statSync(join(root, path)).isDirectory()
  const found = isFolder ? [...new Glob(`${path}/**/*.{ts,tsx}`).scanSync({ cwd: root })].sort() : [path]
  const sources = found.filter((file) => !isNoSource.test(file))
  if (sources.length === 0) throw new Error(`There are no sources in ${path}`)
  return sources
}
