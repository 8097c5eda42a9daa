import { readFileSync } from 'node:fs'

import type { Plugin, Rolldown } from 'vite'

import { areasOf } from './areas-of.ts'

/** What the browser can ask for before the base has arrived to say so. */
interface Preloads {
  /** By path: the files of its code, its areas of texts, and whether guests are sent to sign in. */
  readonly pages: Readonly<Record<string, { files: string[]; areas: string[]; hasGuests: boolean }>>
  /** Files by language and area; that of every page under ''. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/**
 * Writes into index.html what each page needs, so that its code and texts are asked for together with the base and not one after
 * the other. A route names its texts with `loadAreas`.
 */
export const preloadPages = (): Plugin => ({
  name: 'preload-pages',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      bundle && [{ tag: 'script', injectTo: 'head', children: scriptOf(preloadsOf(bundle)) }],
  },
})

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
  /** The file that asks ahead of a page's components. */
  const readsOf = (route: string) => {
    const [, source] = /import\('\.\.\/(features\/[\w-]+\/first-reads)'\)/.exec(route) ?? []
    return source ? chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${source}.ts`))) : []
  }
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
        files: [
          ...new Set(
            [...readsOf(route).map((chunk) => chunk.fileName), fileName].flatMap((name) => [...importsOf(name)]),
          ),
        ].filter((name) => !first.has(name)),
        areas: areasOf(route),
        hasGuests: !route.includes('beforeLoad: requireLogin'),
      }
    }
  }
  return { pages, texts }
}

const scriptOf = (preloads: Preloads): string => `;(${preload.toString()})(${JSON.stringify(preloads)})`

/** Runs in the browser, by itself. */
function preload({ pages, texts }: Preloads): void {
  try {
    const path = location.pathname.replace(/(.)\/$/, '$1')
    const asked = pages[path] ?? pages[path.replace(/\/[^/]*$/, '')]
    const page = asked?.hasGuests || localStorage.getItem('user') ? asked : pages['/login']
    const chosen = (localStorage.getItem('i18nextLng') || navigator.language).slice(0, 2).toLowerCase()
    const own = texts[chosen] ?? texts['zh'] ?? {}
    for (const file of [...(page?.files ?? []), ...['', ...(page?.areas ?? [])].map((area) => own[area])]) {
      if (!file) continue
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = `/${file}`
      document.head.append(link)
    }
  } catch {
    // Without storage the page asks for its files itself.
  }
}
