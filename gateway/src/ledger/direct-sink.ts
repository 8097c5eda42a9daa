import type { ApplyCharges } from './apply-charges'
import type { ChargeRecord } from './charge-record'
import type { ChargeSink } from './charge-sink'
import { GroupCommit, type GroupCommitOptions } from './group-commit'
import { within } from './within'

export interface DirectSinkOptions extends Pick<GroupCommitOptions<ChargeRecord>, 'timers' | 'onFailure'> {
  readonly apply: ApplyCharges
  onApplied: (records: readonly ChargeRecord[]) => void
}

/** The database is the journal: a charge is durable when it is applied. */
export function createDirectSink({ apply, onApplied, timers, onFailure }: DirectSinkOptions): ChargeSink {
  const commits = new GroupCommit<ChargeRecord>({
    timers,
    onFailure,
    async commit(batch) {
      await apply(batch)
      onApplied(batch)
    },
  })
  return {
    add: (record) => commits.add(record),
    get isFailing() {
      return commits.isFailing
    },
    get queued() {
      return commits.length
    },
    journaled: { depth: 0, oldestSeconds: 0 },
    settle(timeoutMs) {
      const done = commits.whenIdle().then(() => true)
      return within(timers, timeoutMs, done, false)
    },
    close: () => Promise.resolve(),
  }
}
