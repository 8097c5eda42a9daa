import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where the gateway listens while the console is worked on. */
const gateway = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:3000'
const served = ['/api', '/pg', '/v1', '/health']

export default defineConfig({
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
  ],
  build: { outDir: 'dist', emptyOutDir: true, manifest: true, target: 'es2023', cssMinify: true },
  server: { proxy: Object.fromEntries(served.map((path) => [path, { target: gateway }])) },
})
