import { afterAll } from 'bun:test'

import { theOne } from './the-browser'

/** After the last test of a run: ends the browser and removes its profile. `bunfig.toml` names this file. */
afterAll(async () => {
  await (await theOne.browser)?.close()
})
