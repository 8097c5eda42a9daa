import type { Browser } from 'playwright-core'

/** The one browser of this run, once somebody asked for it. Apart from what starts it, so that ending it loads nothing. */
export const theOne: { browser?: Promise<Browser> } = {}
