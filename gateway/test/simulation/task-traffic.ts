import { chargeRecord } from '../../src/billing/ledger/charge/charge-record'
import { anyEntry, payerOf } from './accounts'
import type { Submitted } from './submitted'
import type { TrafficOptions } from './traffic-options'
import type { Worker } from './worker'

const maxTasks = 12

/** Work that outlives its worker: quota is held by one worker, and any may end the hold, some at the same time. */
export class TaskTraffic {
  #names = 0
  /** What each hold will be charged, if it is. The charge may be in the database though the response to its worker was lost. */
  readonly #tasks = new Map<string, Submitted>()

  constructor(readonly options: TrafficOptions) {}

  event(worker: Worker, isCalm: boolean): void {
    const { dice, witness } = this.options
    const open = [...witness.holds.keys()]
    if (!isCalm && open.length <= dice.below(maxTasks)) return this.#hold(worker)
    const id = dice.pick(open)
    if (id === undefined) return
    this.#end(worker, id)
    // Two pollers, or a callback and a time limit.
    if (dice.oneIn(4)) this.#end(worker, id)
  }

  #hold(worker: Worker): void {
    const { dice, accounts, note, witness } = this.options
    const account = dice.pick(accounts.all)
    if (!account || !worker.ledger) return
    const id = `task${(this.#names += 1)}`
    const amount = dice.below(dice.oneIn(5) ? 3000 : 100)
    const cost = dice.pick([amount, dice.below(amount + 1), 0, amount + dice.below(20)]) ?? 0
    const entry = anyEntry(dice, account, accounts.channels, worker.process.clock.now())
    const from = { userLease: `hold:user:${id}`, tokenLease: account.isTokenLimited ? `hold:token:${id}` : '' }
    const excess = Math.max(0, cost - amount)
    const payer = payerOf(account)
    const tokens = { prompt: dice.below(80), completion: dice.below(80) }
    const submitted: Submitted = {
      record: chargeRecord(id, payer, { cost, isLogged: !dice.oneIn(5), entry }, from),
      process: worker.process,
      nodeId: worker.node.nodeId,
      parts: [
        { kind: 'user', refId: account.userId, lease: from.userLease, cost, excess },
        ...(account.isTokenLimited
          ? [{ kind: 'token', refId: account.tokenId, lease: from.tokenLease, cost, excess } as const]
          : []),
      ],
      isAcknowledged: false,
      isRefused: false,
      isCharged: false,
    }
    this.#tasks.set(id, submitted)
    witness.submitted.add(submitted)
    note(`${worker.id} holds ${amount} for ${id} of ${account.userId}:${account.tokenId}`)
    witness.requestedHolds.set(id, { payer, amount, tokens })
    this.#await(
      worker,
      worker.ledger.hold({ id, payer, amount, tokens }, async () => {}),
    )
  }

  #end(worker: Worker, id: string): void {
    const { dice, note } = this.options
    const submitted = this.#tasks.get(id)
    if (!submitted) return
    const isCharged = !dice.oneIn(3)
    note(`${worker.id} ${isCharged ? 'settles' : 'gives back'} ${id}`)
    this.#await(worker, this.#settleOrRelease(worker, submitted, isCharged))
  }

  #await(worker: Worker, work: Promise<void>): void {
    worker.waiting.tasks += 1
    work.catch(this.options.onError).finally(() => (worker.waiting.tasks -= 1))
  }

  async #settleOrRelease(worker: Worker, submitted: Submitted, isCharged: boolean): Promise<void> {
    const { ledger, process, surroundings } = worker
    if (!ledger) return
    const { requestId, cost, isLogged, entry } = submitted.record
    const { query } = surroundings.store.databaseOf(process)
    const isEnded = await query
      .transaction()
      .execute((transaction) =>
        isCharged
          ? ledger.settleHold(requestId, { cost, isLogged, entry }, transaction)
          : ledger.releaseHold(requestId, transaction),
      )
    if (isEnded && isCharged && !process.isDead) this.options.witness.submitted.markAcknowledged(submitted)
  }
}
