import { gzipSync } from 'node:zlib'

import { build, type Plugin, type Rolldown, type UserConfig } from 'vite'

import { planChunks, type Part } from './chunk-plan.ts'

const requestBytes = 22_500
const clickWeight = 0.03

/** Modules that the router's plugin splits off a route, loaded without a click. */
const pageModule =
  /\?tsr-split=component$|\/(?:code-snippet|highlighted-code|admin-checklist|own-checklist|model-mark|notice|auto-disabled-badge|[\w-]+-filter|open-session|overview-tab|token-month|histogram)\.tsx$/
/** Frequent first pages, and pages near the budget. */
const landingModule =
  /\/routes\/(?:app\.dashboard|app\.tokens|app\.logs\.api-usage|admin\.channels|admin\.prices|admin\.routing|admin\.settings|app\.wallet|pricing|playground)\.tsx\?tsr-split=component$/
/** Pieces that pages near the budget need on a click at most. */
const apartModule =
  /\/(?:channel-select|confirm-button|duration-field|quick-range-filter|time-zone-select|use-second-look|user-select)\.tsx?$|\/Divider\.mjs$/
const base = { name: 'base', tags: ['$initial' as const], priority: 1 }

/**
 * Merges what pages share into few files. A first build, which is not written, splits as finely as possible and shows, after tree shaking,
 * which modules are needed together; `chunk-plan.ts` decides which of its files are merged.
 */
export function groupChunks(config: UserConfig): Plugin {
  return {
    name: 'group-chunks',
    apply: 'build',
    async config() {
      const fileOf = await plan(config)
      const name = (id: string) => fileOf.get(id) ?? null
      return splitInto([base, { name, debugName: 'shared', includeDependenciesRecursively: false }])
    },
  }
}

const splitInto = (groups: Rolldown.CodeSplittingGroup[]) => ({
  build: { rolldownOptions: { output: { codeSplitting: { groups } } } },
})

/** Returns the file name for each module that is not in a file of its own. */
async function plan(config: UserConfig): Promise<ReadonlyMap<string, string>> {
  const unwritten = { write: false, minify: false, cssMinify: false, reportCompressedSize: false } as const
  const split = splitInto([base]).build
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { ...config.build, ...unwritten, ...split },
  })
  const chunks = [built].flat().flatMap((output) => ('output' in output ? output.output.filter(isChunk) : []))
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const modulesOf = (name: string) => byName.get(name)?.moduleIds ?? []
  const first = chunks.find(({ name }) => name === base.name)
  if (!first) throw new Error('The build has no base')
  const groups = planChunks(chunks.map(partOf), {
    base: first.fileName,
    isPage: ({ name }) => modulesOf(name).some((id) => pageModule.test(id)),
    isLanding: ({ name }) => modulesOf(name).some((id) => landingModule.test(id)),
    isApart: ({ name }) => modulesOf(name).some((id) => apartModule.test(id)),
    requestBytes,
    clickWeight,
  })
  // Numbers: every first load lists the names of the files, and those of their largest modules took 0.5 KB of it.
  return new Map(groups.flatMap((names, at) => names.flatMap(modulesOf).map((id) => [id, String(at)] as const)))
}

const isChunk = (file: Rolldown.OutputAsset | Rolldown.OutputChunk): file is Rolldown.OutputChunk =>
  file.type === 'chunk'

const partOf = ({ fileName, code, imports, dynamicImports }: Rolldown.OutputChunk): Part => ({
  name: fileName,
  bytes: gzipSync(code).length,
  imports,
  lazyImports: dynamicImports,
})
