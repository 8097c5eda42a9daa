import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Plugin } from 'vite'

import { vendorIconFolder, vendorIcons } from '../src/domain/vendor-icons.ts'

const packageFolder = join(import.meta.dirname, '../node_modules/@lobehub/icons-static-svg/icons')

/** Adds the icons that `vendor-icons.ts` names to the build, and serves them during development. */
export const copyVendorIcons: Plugin = {
  name: 'copy-vendor-icons',
  configureServer({ middlewares }) {
    middlewares.use(`/${vendorIconFolder}`, (request, response, next) => {
      const icon = /^\/([\w-]+)\.svg$/.exec(request.url ?? '')?.[1]
      if (icon === undefined || !iconNames.has(icon)) return next()
      response.setHeader('Content-Type', 'image/svg+xml').end(readIcon(icon))
    })
  },
  generateBundle() {
    for (const icon of iconNames)
      this.emitFile({ type: 'asset', fileName: `${vendorIconFolder}/${icon}.svg`, source: readIcon(icon) })
  },
}

const iconNames: ReadonlySet<string> = new Set(Object.values(vendorIcons))

const readIcon = (icon: string): Uint8Array => readFileSync(join(packageFolder, `${icon}.svg`))
