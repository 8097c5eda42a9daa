import { basename, dirname } from 'node:path'

import type { SourceTree } from '../imports/source-tree'

const features = 'console/src/features/'
/** Names of parts that have another name today. */
const otherNames = /\/use-[\w-]+-columns\.tsx$/

/**
 * Returns what is amiss with the pages of the console that list things, a line each: the file that keeps the state of the list has the search
 * parameters, the data and the columns next to it, all named after what is listed.
 */
export function listPageFaults(tree: SourceTree): string[] {
  const paths = tree.paths.filter((path) => path.startsWith(features) && !/\.test\.tsx?$/.test(path))
  const misnamed = paths
    .filter((path) => otherNames.test(path))
    .map((path) => `${path}: columns are in <thing>-columns.tsx`)
  const folders = new Set(paths.filter((path) => /\buseList\(/.test(tree.textOf(path))).map((path) => dirname(path)))
  const incomplete = [...folders].flatMap((folder) => {
    const inside = paths.filter((path) => path.startsWith(`${folder}/`))
    const things = inside.flatMap((path) => /^([\w-]+)-columns\.tsx$/.exec(basename(path))?.[1] ?? [])
    const has = (part: string) =>
      things.some((thing) => inside.some((path) => path.startsWith(`${folder}/${thing}-${part}.ts`)))
    const readsItself = inside.some((path) => path.endsWith('-page.tsx') && /\buseRead\(/.test(tree.textOf(path)))
    return [
      ...(things.length === 0 ? [`${folder} has a list and no <thing>-columns.tsx`] : []),
      ...(has('search') ? [] : [`${folder} has a list and no <thing>-search.ts`]),
      ...(has('data') || readsItself ? [] : [`${folder} has a list and no <thing>-data.ts`]),
    ]
  })
  return [...misnamed, ...incomplete]
}
