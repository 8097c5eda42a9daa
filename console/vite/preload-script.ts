import { readFileSync } from 'node:fs'

import { build, type Plugin, type Rolldown, type UserConfig } from 'vite'

import { areasOf } from './areas-of.ts'

/** What the browser can request before the base has arrived. */
interface Preloads {
  /** By path: the files of its code, its text areas, and whether guests are sent to sign in. */
  readonly pages: Readonly<Record<string, { files: string[]; areas: string[]; hasGuests: boolean }>>
  /** Files by language and area; the area '' is needed by every page. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/**
 * Injects `src/app/preload` into index.html with the needs of each page, so that its code, its texts and its first reads are requested along
 * with the base instead of one after the other. A route names its texts with `loadAreas`. The script precedes the styles, which would delay
 * it.
 */
export const preloadScript = (config: UserConfig): Plugin => ({
  name: 'preload-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    async handler(html, { bundle }) {
      if (!bundle) return html
      const script = await scriptOf(config, preloadsOf(bundle))
      return html.replace('<script type="module"', () => `<script>${script}</script>\n    <script type="module"`)
    },
  },
})

/** Builds the script with the names of the files. */
async function scriptOf({ root, build: { target } = {} }: UserConfig, preloads: Preloads): Promise<string> {
  const entry = `${root}/src/app/preload/main.ts`
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    define: { builtPages: JSON.stringify(preloads) },
    build: { target, write: false, lib: { entry, formats: ['iife'], name: 'preload' } },
  })
  const chunks = [built].flat().flatMap((output) => ('output' in output ? output.output : []))
  const code = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.code.trim() : []))
  return code.join('').replaceAll('</script', String.raw`<\/script`)
}

function preloadsOf(bundle: Rolldown.OutputBundle): Preloads {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const importsOf = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen
    seen.add(name)
    for (const imported of byName.get(name)?.imports ?? []) importsOf(imported, seen)
    return seen
  }
  const first = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName }) => [...importsOf(fileName)]))
  const pages: Record<string, Preloads['pages'][string]> = {}
  const texts: Record<string, Record<string, string>> = {}
  for (const { fileName, moduleIds, isDynamicEntry } of chunks) {
    if (!isDynamicEntry) continue
    for (const id of moduleIds) {
      const [, language, area] = /\/(?:first-texts|locales)\/(\w+)(?:\/([\w-]+)\.json|\.ts)$/.exec(id) ?? []
      if (language && (area || id.includes('/first-texts/'))) (texts[language] ??= {})[area ?? ''] = fileName
      if (!id.endsWith('?tsr-split=component')) continue
      const route = readFileSync(id.replace(/\?.*/, ''), 'utf8')
      const [, path = ''] = /createFileRoute\('([^']+)'\)/.exec(route) ?? []
      pages[path.replace(/\/\{?-?\$.*/, '')] = {
        files: [...importsOf(fileName)].filter((name) => !first.has(name)),
        areas: areasOf(route),
        hasGuests: !route.includes('beforeLoad: requireLogin'),
      }
    }
  }
  return { pages, texts }
}
