import * as fc from 'fast-check'

import type { DatabaseKind } from '../../gateway/src/platform/store/database'
import { handlers } from '../../gateway/test/all-handlers'
import { consoleCalls } from '../../gateway/test/fuzz/console-calls'
import { createConsoleTarget } from '../../gateway/test/fuzz/console-target'
import type { Finding } from '../../gateway/test/fuzz/finding'
import { relayCalls } from '../../gateway/test/fuzz/relay-calls'
import { createRelayTarget } from '../../gateway/test/fuzz/relay-target'

interface Samples {
  readonly numRuns: number
  readonly seed: number
}

type Report = (finding: Finding) => void

/** What can be called, by name. Each sends samples of its calls to a gateway of its own. */
export const targets = {
  async console(kind: DatabaseKind, samples: Samples, report: Report): Promise<void> {
    await using target = await createConsoleTarget(kind, handlers)
    for (const call of fc.sample(consoleCalls(handlers), samples)) {
      const finding = await target.attempt(call)
      if (finding) report(finding)
    }
  },
  async relay(kind: DatabaseKind, samples: Samples, report: Report): Promise<void> {
    await using target = await createRelayTarget(kind)
    for (const call of fc.sample(relayCalls, samples)) {
      const finding = await target.attempt(call)
      if (finding) report(finding)
    }
    const finding = await target.audit()
    if (finding) report(finding)
  },
} satisfies Readonly<Record<string, (kind: DatabaseKind, samples: Samples, report: Report) => Promise<void>>>
