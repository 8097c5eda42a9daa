import { dirname, join, normalize, relative } from 'node:path'

import { Glob } from 'bun'

import { cyclesIn } from './imports/cycles'
import { importsIn } from './imports/read-imports'

/** Who may not import whom. Packages are kept apart by their declared dependencies; these are the rooms inside them. */
interface Rule {
  readonly from: RegExp
  readonly forbidden: RegExp
  readonly why: string
}

const feature = /^(?:gateway\/src\/console-api|console\/src\/features)\/([^/]+)\//

const rules: readonly Rule[] = [
  { from: /^contract\//, forbidden: /^(?!contract\/|zod$)/, why: 'the contract imports zod only' },
  {
    from: /^models\//,
    forbidden: /^(contract|dialects|providers|gateway|simulator|console)\/|^node:|^bun$/,
    why: 'the model catalog is pure and imports nothing of ours',
  },
  {
    from: /^dialects\//,
    forbidden: /^(contract|models|providers|gateway|simulator|console)\/|^node:(?!crypto|zlib)|^bun$/,
    why: 'dialects are pure and import nothing of ours',
  },
  {
    from: /^dialects\/src\/core\//,
    forbidden: /^dialects\/src\/(?!core\/)/,
    why: 'what all dialects share knows none of them',
  },
  {
    from: /^dialects\/src\/chat\//,
    forbidden: /^dialects\/src\/(?!core\/|chat\/)/,
    why: 'a dialect of conversations stands on the core alone',
  },
  {
    from: /^dialects\/src\/(?:images|vectors|audio|realtime)\//,
    forbidden: /^dialects\/src\/(?:translation\/|dialects$|index$)/,
    why: 'the registry and the translation stand above every dialect',
  },
  {
    from: /^providers\//,
    forbidden: /^(contract|gateway|simulator|console)\/|^node:(?!crypto)|^bun$/,
    why: 'providers are data over dialects',
  },
  {
    from: /^http-client\/src\/(?!.*\.test\.ts$)/,
    forbidden: /^(contract|models|dialects|providers|gateway|simulator|console)\//,
    why: 'the client knows neither vendors nor the gateway',
  },
  {
    from: /^gateway\/src\/billing\/(?:metering|pricing(?!\/price-store))\//,
    forbidden:
      /^gateway\/src\/(?!billing\/(?:metering|pricing)\/(?!price-store)|platform\/(app-error|text\/parsed-json|time\/timers)$)|^node:|^bun$/,
    why: 'prices and costs are pure',
  },
  {
    from: /^console\//,
    forbidden: /^(dialects|providers|gateway|simulator)\//,
    why: 'the console knows the contract alone',
  },
  {
    from: /^console\/src\/lib\//,
    forbidden: /^console\/src\/(components|domain|features|routes|app)\//,
    why: 'what everything stands on knows nothing of what stands on it',
  },
  {
    from: /^console\/src\/components\//,
    forbidden: /^console\/src\/(domain|features|routes|app)\//,
    why: 'components know nothing of the product',
  },
  {
    from: /^console\/src\/domain\//,
    forbidden: /^console\/src\/(features|routes|app)\//,
    why: 'what features share knows none of them',
  },
  {
    from: /^console\/src\/features\//,
    forbidden: /^console\/src\/(routes|app)\//,
    why: 'a feature does not know where it is shown',
  },
]

/** The floors of the gateway from above, as in ARCHITECTURE.md: none knows what stands above it, nor its neighbour. */
const floors: readonly (readonly string[])[] = [
  ['main'],
  ['app'],
  ['relay', 'console-api'],
  ['operations'],
  ['tasks'],
  ['http'],
  ['messaging'],
  ['channels'],
  ['accounts'],
  ['billing'],
  ['platform'],
]
/** Types of everything that a part of the server may depend on. */
const everywhere = 'context'
const roomIn = (path: string) => /^gateway\/src\/([\w-]+)/.exec(path)?.[1]
const floorOf = (room: string) => floors.findIndex((names) => names.includes(room))

const source = new Glob(
  '{contract,models,dialects,providers,http-client,gateway,simulator,bench,e2e,console,scripts}/**/*.{ts,tsx}',
)
const isTest = (path: string) => /\.test\.tsx?$|\/test\/|\/fixtures\//.test(path)

const faults: string[] = []
/** What each file imports before it runs, types included. */
const graph = new Map<string, string[]>()
for await (const path of source.scan('.')) {
  if (path.includes('node_modules')) continue
  const imports = importsOf(path, await Bun.file(path).text())
  graph.set(
    withoutExtension(path),
    imports.flatMap(({ target, isLazy }) => (isLazy ? [] : [target])),
  )
  if (!isTest(path)) checkPlace(path, imports)
}

for (const cycle of cyclesIn(graph)) faults.push(`these files import one another: ${cycle.join(', ')}`)

if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}

interface Import {
  readonly target: string
  readonly isLazy: boolean
}

function importsOf(path: string, text: string): Import[] {
  return importsIn(text).map(({ specifier, isLazy }) => ({ target: resolve(path, specifier), isLazy }))
}

/** Tests may reach into any room. */
function checkPlace(path: string, imports: readonly Import[]): void {
  const room = roomIn(path)
  if (room && room !== everywhere && floorOf(room) < 0) faults.push(`${path}: ${room} has no place among the floors`)
  for (const { target } of imports) {
    for (const rule of rules) {
      if (rule.from.test(path) && rule.forbidden.test(target)) faults.push(`${path} imports ${target}: ${rule.why}`)
    }
    const entered = roomIn(target)
    if (room && entered && room !== everywhere && entered !== everywhere && !mayEnter(room, entered))
      faults.push(`${path} imports ${target}: ${room} knows nothing of ${entered}, which does not stand below it`)
    const own = feature.exec(path)?.[1]
    const other = feature.exec(target)?.[1]
    if (own && other && own !== other) faults.push(`${path} imports ${target}: features do not import one another`)
  }
}

function mayEnter(room: string, entered: string): boolean {
  return room === entered || floorOf(room) < floorOf(entered)
}

function withoutExtension(path: string): string {
  return path.replace(/\.tsx?$/, '')
}

/** A relative import as a path from the root, our packages as their folders, others as they are. */
function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('@tollgate/')) return `${specifier.slice('@tollgate/'.length)}/`
  if (!specifier.startsWith('.')) return specifier
  return relative('.', normalize(join(dirname(from), specifier)))
}
