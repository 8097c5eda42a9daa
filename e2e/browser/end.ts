import { afterAll } from 'bun:test'

import { leftOpen } from '../../gateway/test/left-open'

/** After the last test of a run: ends the browser, the site and the databases that its tests share. `bunfig.toml` names this file. */
afterAll(async () => {
  for (const close of leftOpen.splice(0)) await close()
})
