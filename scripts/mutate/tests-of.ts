import { nearestFirst } from '../imports/nearest'
import { SourceTree } from '../imports/source-tree'
import { allTestFiles, kindOf } from '../test/kinds'

/** Test files of one kind, to run one after the other in a process. */
export type Stage = readonly string[]

/** The first process is over soon, as most faults do not survive it. */
const firstSeconds = 4

/** Returns the stages of the tests that reach each file, nearest first, as many as take these seconds by the times of their kinds. Journeys are left out. */
export function testsOf(root: string, files: readonly string[], seconds: number): Map<string, Stage[]> {
  const importers = new SourceTree(root).importers(({ isType }) => !isType)
  const tests = allTestFiles(root).filter((file) => !file.startsWith('e2e/'))
  return new Map(files.map((file) => [file, stagesOf(nearestFirst(tests, [file], importers), seconds)]))
}

function stagesOf(tests: readonly string[], seconds: number): Stage[] {
  const near = startWithin(tests, seconds)
  const [nearest] = near
  if (nearest === undefined) return []
  const kind = kindOf(nearest)
  const first = startWithin(
    near.filter((file) => kindOf(file) === kind),
    firstSeconds,
  )
  const others = near.filter((file) => !first.includes(file))
  return [first, ...Map.groupBy(others, kindOf).values()]
}

/** Returns the first files that take no longer than this, at least one. */
function startWithin(files: readonly string[], seconds: number): string[] {
  let sum = 0
  return files.filter((file, index) => {
    sum += kindOf(file).secondsPerFile
    return index === 0 || sum <= seconds
  })
}
