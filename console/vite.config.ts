import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'

import { copyVendorIcons } from './vite/copy-vendor-icons.ts'
import { preloadScript } from './vite/preload-script.ts'
import { groupChunks } from './vite/group-chunks.ts'
import { shortNames } from './vite/short-names.ts'

/** Address of the gateway during development. */
const gateway = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:3000'
const served = ['/api', '/pg', '/v1', '/health']

/** Browsers with `light-dark()`, so that it is not transpiled. */
const cssTarget = ['chrome123', 'edge123', 'firefox120', 'safari17.5']

/** No page uses JSON Schema output; zod would otherwise include it in every first load, 5 KB each. */
const withoutJsonSchema = {
  name: 'without-json-schema',
  transform(code: string, id: string) {
    if (!/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/.test(id)) return undefined
    const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    return names.map((name) => `export const ${name} = () => () => ({})`).join('\n')
  },
}

/** zod's English messages; ours are text keys in every language. */
const withoutFaultTexts = {
  name: 'without-fault-texts',
  transform: (_code: string, id: string) =>
    id.endsWith('zod/v4/locales/en.js') ? "export default () => ({ localeError: () => 'Invalid input' })" : undefined,
}

/** No page reads a list without end: 1 KB in every first load. */
const withoutInfiniteQueries = {
  name: 'without-infinite-queries',
  transform: (_code: string, id: string) =>
    id.endsWith('/query-core/build/modern/infiniteQueryBehavior.js')
      ? `const leftOut = () => { throw new Error('The build leaves infinite queries out') }
         export { leftOut as infiniteQueryBehavior, leftOut as hasNextPage, leftOut as hasPreviousPage }`
      : undefined,
}

/** No page joins buttons into groups, which are members of the buttons: 0.5 KB in every first load. */
const withoutButtonGroups = {
  name: 'without-button-groups',
  transform(_code: string, id: string) {
    const name = /\/((?:Button|ActionIcon)Group(?:Section)?)\.mjs$/.exec(id)?.[1]
    return name && `export const ${name} = undefined`
  },
}

/** Sentences of the API's description, which no page shows: 1.5 KB in a first load. */
const withoutSummaries = {
  name: 'without-summaries',
  transform(code: string, id: string) {
    if (!id.includes('/contract/src/routes/')) return undefined
    const text = /(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)/.source
    return code.replaceAll(new RegExp(`\\bsummary:\\s*${text}(?:\\s*\\+\\s*${text})*,?`, 'g'), '')
  },
}

/** The palette's colours that nothing has: 0.4 KB in every first load. */
const withoutUnusedColors = {
  name: 'without-unused-colors',
  transform: (code: string, id: string) =>
    id.endsWith('/MantineProvider/default-colors.mjs')
      ? code.replaceAll(/\t(?:dark|gray|pink|grape|violet|indigo|cyan|teal): \[[^\]]*\],?\n/g, '')
      : undefined,
}

/** React has the hook itself since version 18. */
const withoutStoreShim = {
  name: 'without-store-shim',
  transform: (_code: string, id: string) =>
    id.endsWith('/use-sync-external-store/shim/index.js') ? "export { useSyncExternalStore } from 'react'" : undefined,
}

/**
 * Lets the bundler write the name of a class where it is used. As members of one object per file, the names of all classes would be in
 * every first load, 3.5 KB. Modules of styles are kept although nothing of their code remains, since their styles are found by them.
 */
const classesByName = {
  name: 'classes-by-name',
  apply: 'build',
  enforce: 'post',
  transform(code: string, id: string) {
    if (!id.includes('/console/src/')) return undefined
    if (id.endsWith('.module.css')) return { code, moduleSideEffects: 'no-treeshake' as const }
    return code.replaceAll(/import (\w+) from (['"][^'"]+\.module\.css['"])/g, 'import * as $1 from $2')
  },
} as const

const config = {
  root: import.meta.dirname,
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: `${import.meta.dirname}/src/routes`,
      generatedRouteTree: `${import.meta.dirname}/src/route-tree.gen.ts`,
      quoteStyle: 'single',
      disableLogging: true,
    }),
    react(),
    withoutJsonSchema,
    withoutFaultTexts,
    withoutInfiniteQueries,
    withoutButtonGroups,
    withoutSummaries,
    withoutUnusedColors,
    withoutStoreShim,
    classesByName,
  ],
  css: { modules: { generateScopedName: shortNames(import.meta.dirname) } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    cssTarget,
    // Every target browser preloads modules by itself.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: { optimization: { inlineConst: { mode: 'all', pass: 2 } } },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, { target: gateway }])) },
} satisfies UserConfig

export default defineConfig({
  ...config,
  plugins: [...config.plugins, copyVendorIcons, groupChunks(config), preloadScript(config)],
})
