import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'

import { earlyScript } from './vite/early-script.ts'
import { groupChunks } from './vite/group-chunks.ts'
import { shortNames } from './vite/short-names.ts'

/** Where the gateway listens while the console is worked on. */
const gateway = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:3000'
const served = ['/api', '/pg', '/v1', '/health']

/** Those with `light-dark()`, so that no stand-in for it is written into the styles. */
const cssTarget = ['chrome123', 'edge123', 'firefox120', 'safari17.5']

/** No page writes JSON Schema of its schemas; zod carries what would along with every one of them, 5 KB of each first load. */
const withoutJsonSchema = {
  name: 'without-json-schema',
  transform(code: string, id: string) {
    if (!/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/.test(id)) return undefined
    const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    return names.map((name) => `export const ${name} = () => () => ({})`).join('\n')
  },
}

/** What zod says of a fault in English; ours are keys of texts, in every language. */
const withoutFaultTexts = {
  name: 'without-fault-texts',
  transform: (_code: string, id: string) =>
    id.endsWith('zod/v4/locales/en.js') ? "export default () => ({ localeError: () => 'Invalid input' })" : undefined,
}

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
  ],
  css: { modules: { generateScopedName: shortNames(import.meta.dirname) } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    cssTarget,
    // Every browser of the target preloads modules by itself.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, { target: gateway }])) },
} satisfies UserConfig

export default defineConfig({ ...config, plugins: [...config.plugins, groupChunks(config), earlyScript(config)] })
