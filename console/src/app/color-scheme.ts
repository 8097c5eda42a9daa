import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import * as z from 'zod'

import { storedValue } from '../lib/browser/storage'

const mode = storedValue('theme-mode', z.enum(['light', 'dark', 'system']), 'system', { isPlain: true })

const schemeOf = (): MantineColorScheme => {
  const chosen = mode.get()
  return chosen === 'system' ? 'auto' : chosen
}

/** Stores the theme under the specification's key, which `index.html` reads before the first paint. */
export function colorSchemeManager(): MantineColorSchemeManager {
  let unsubscribe = () => {}
  return {
    get: schemeOf,
    // Mantine sets a value again after reporting it; only a change counts.
    set: (scheme) => {
      if (scheme !== schemeOf()) mode.set(scheme === 'auto' ? 'system' : scheme)
    },
    subscribe(onUpdate) {
      const stop = mode.subscribe(() => onUpdate(schemeOf()))
      unsubscribe = () => stop()
    },
    unsubscribe: () => unsubscribe(),
    clear: () => mode.clear(),
  }
}
