import { afterAll } from 'bun:test'

import { leftOpen } from '../../gateway/test/left-open'

/** Closes the shared browser, site and databases after the last test of a run. Loaded by `bunfig.toml`. */
afterAll(async () => {
  for (const close of leftOpen.splice(0)) await close()
})
