import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import * as z from 'zod'

import { StoredValue } from '../lib/browser/stored-value'

const mode = new StoredValue('theme-mode', z.enum(['light', 'dark', 'system']), 'system', { isPlain: true })

const schemeOf = (): MantineColorScheme => {
  const chosen = mode.get()
  return chosen === 'system' ? 'auto' : chosen
}

/** Stores the theme under the specification's key, which `index.html` reads before the first paint. */
export class ColorScheme implements MantineColorSchemeManager {
  #unsubscribe = (): void => {}

  get(): MantineColorScheme {
    return schemeOf()
  }

  // Mantine sets a value again after reporting it; only a change counts.
  set(scheme: MantineColorScheme): void {
    if (scheme !== schemeOf()) mode.set(scheme === 'auto' ? 'system' : scheme)
  }

  subscribe(onUpdate: (scheme: MantineColorScheme) => void): void {
    this.#unsubscribe = mode.subscribe(() => onUpdate(schemeOf()))
  }

  unsubscribe(): void {
    this.#unsubscribe()
  }

  clear(): void {
    mode.clear()
  }
}
