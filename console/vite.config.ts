import { basename } from 'node:path'

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
  transform: {
    filter: { id: /zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/ },
    handler(code: string) {
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
      return names.map((name) => `export const ${name} = () => () => ({})`).join('\n')
    },
  },
}

/** zod's English messages; ours are text keys in every language. */
const withoutFaultTexts = {
  name: 'without-fault-texts',
  transform: {
    filter: { id: /zod\/v4\/locales\/en\.js$/ },
    handler: () => "export default () => ({ localeError: () => 'Invalid input' })",
  },
}

/** No page reads a list without end: 1 KB in every first load. */
const withoutInfiniteQueries = {
  name: 'without-infinite-queries',
  transform: {
    filter: { id: /\/query-core\/build\/modern\/infiniteQueryBehavior\.js$/ },
    handler: () =>
      `const leftOut = () => { throw new Error('The build leaves infinite queries out') }
       export { leftOut as infiniteQueryBehavior, leftOut as hasNextPage, leftOut as hasPreviousPage }`,
  },
}

/** No page joins buttons into groups, which are members of the buttons: 0.5 KB in every first load. */
const withoutButtonGroups = {
  name: 'without-button-groups',
  transform: {
    filter: { id: /\/(?:Button|ActionIcon)Group(?:Section)?\.mjs$/ },
    handler: (_code: string, id: string) => `export const ${basename(id, '.mjs')} = undefined`,
  },
}

/** Sentences of the API's description, which no page shows: 1.5 KB in a first load. */
const withoutSummaries = {
  name: 'without-summaries',
  transform: {
    filter: { id: /\/contract\/src\/routes\// },
    handler(code: string) {
      const text = /(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)/.source
      return code.replaceAll(new RegExp(`\\bsummary:\\s*${text}(?:\\s*\\+\\s*${text})*,?`, 'g'), '')
    },
  },
}

/** The palette's colours that nothing has: 0.4 KB in every first load. */
const withoutUnusedColors = {
  name: 'without-unused-colors',
  transform: {
    filter: { id: /\/MantineProvider\/default-colors\.mjs$/ },
    handler: (code: string) =>
      code.replaceAll(/\t(?:dark|gray|pink|grape|violet|indigo|cyan|teal): \[[^\]]*\],?\n/g, ''),
  },
}

/** React has the hook itself since version 18. */
const withoutStoreShim = {
  name: 'without-store-shim',
  transform: {
    filter: { id: /\/use-sync-external-store\/shim\/index\.js$/ },
    handler: () => "export { useSyncExternalStore } from 'react'",
  },
}

/**
 * Lets the bundler write the name of a class where it is used. As members of one object per file, the names of all classes would be in
 * every first load, 3.5 KB. Modules of styles are kept although nothing of their code remains, since their styles are found by them.
 */
const classesByName = {
  name: 'classes-by-name',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /\/console\/src\// },
    handler(code: string, id: string) {
      if (id.endsWith('.module.css')) return { code, moduleSideEffects: 'no-treeshake' as const }
      return code.replaceAll(/import (\w+) from (['"][^'"]+\.module\.css['"])/g, 'import * as $1 from $2')
    },
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
    rolldownOptions: {
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      // Of 6000 icons, a few hundred are read.
      experimental: { lazyBarrel: true },
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, { target: gateway }])) },
} satisfies UserConfig

export default defineConfig({
  ...config,
  plugins: [...config.plugins, copyVendorIcons, groupChunks(config), preloadScript(config)],
})
