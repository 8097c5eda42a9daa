import { afterEach } from 'bun:test'

import { leftBehindChecks } from './left-behind'

/** A test whose calls leave something behind fails. Loaded by `bunfig.toml`. */
afterEach(async () => {
  for (const check of leftBehindChecks) await check()
})
