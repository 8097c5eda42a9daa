import { AppError } from '../src/app-error'
import { openJournal, type Journal } from '../src/ledger/journal'
import type { Reservation } from '../src/ledger/ledger'
import { openLedger, type LedgerWorker } from '../src/ledger/open-ledger'
import { recoverNode } from '../src/process/recover'
import { systemTimers } from '../src/ledger/timers'
import { faultyDatabase, LostConnection, type Fault } from './faulty-database'
import type { TestDatabase } from './databases'
import { aCharge, aToken, aUser, booksOf, ledgerOptions, ManualClock } from './ledger'

export type Step =
  | { kind: 'reserve'; slot: number; user: number; estimate: number; least: number }
  | { kind: 'extend'; pick: number; amount: number }
  | { kind: 'charge'; pick: number; cost: number; isLogged: boolean }
  | { kind: 'release' | 'end twice'; pick: number }
  | { kind: 'credit'; user: number; amount: number; repeats: number }
  | { kind: 'adjust'; user: number; quota: number }
  | { kind: 'sweep' | 'beat' | 'stop'; slot: number }
  | { kind: 'wait'; ms: number }
  /** The worker dies at its n-th call of database or journal from here, before or after the call had its effect. */
  | { kind: 'crash'; slot: number; calls: number; hasEffect: boolean }
  /** One call fails, the worker lives. */
  | { kind: 'fault'; slot: number; calls: number; hasEffect: boolean }

interface Account {
  readonly userId: number
  readonly tokenId: number
  readonly isTokenLimited: boolean
  /** What may have been spent beyond what was there: excess of calls, and what an administrator took away. */
  allowance: number
}

interface Running {
  readonly worker: Worker
  readonly account: Account
  readonly reservation: Reservation
}

interface Charged {
  readonly requestId: string
  readonly account: Account
  readonly cost: number
  isAcknowledged: boolean
}

/** A worker as the operating system sees it: it works until it is dead, and then nothing of it happens any more. */
class Worker {
  isDead = false
  #faultIn = Infinity
  #fault: Exclude<Fault, 'none'> = 'refused'
  #isDeadly = false
  #ended = Promise.withResolvers<never>()
  ledger: LedgerWorker | undefined
  journal: Journal | undefined

  /** Rejects when the worker dies: whoever waits for it stops waiting. */
  readonly death = this.#ended.promise

  constructor() {
    this.death.catch(() => {})
  }

  plan(calls: number, hasEffect: boolean, isDeadly: boolean) {
    this.#faultIn = calls
    this.#fault = hasEffect ? 'answer-lost' : 'refused'
    this.#isDeadly = isDeadly
  }

  readonly nextFault = (): Fault => {
    if (this.isDead) return 'refused'
    this.#faultIn -= 1
    if (this.#faultIn > 0) return 'none'
    this.#faultIn = Infinity
    if (this.#isDeadly) this.die()
    return this.#fault
  }

  die() {
    this.isDead = true
    this.journal?.close()
    this.#ended.reject(new LostConnection('dead'))
  }

  readonly openJournal: typeof openJournal = (path, durability) => {
    const journal = openJournal(path, durability)
    const during = <T>(work: () => T): T => {
      if (this.isDead) throw new LostConnection('journal')
      const fault = this.nextFaultBefore()
      if (fault === 'refused') throw this.#dead()
      const answer = work()
      if (fault === 'answer-lost') throw this.#dead()
      return answer
    }
    const faulty: Journal = {
      append: (records, nowMs) => during(() => journal.append(records, nowMs)),
      read: (after, most) => during(() => journal.read(after, most)),
      remove: (charges) => during(() => journal.remove(charges)),
      probe: () => during(() => journal.probe()),
      get depth() {
        return journal.depth
      },
      get last() {
        return journal.last
      },
      oldestMs: () => journal.oldestMs(),
      close: () => journal.close(),
    }
    this.journal = journal
    return faulty
  }

  /** As `nextFault`, but the death comes when the call is over. */
  nextFaultBefore(): Fault {
    this.#faultIn -= 1
    if (this.#faultIn > 0) return 'none'
    this.#faultIn = Infinity
    return this.#fault
  }

  #dead() {
    if (this.#isDeadly) this.die()
    return new LostConnection('journal')
  }
}

/** Several workers on one database, driven step by step; after each step the laws of the ledger are checked. */
export class Simulation {
  readonly clock = new ManualClock()
  readonly nodeId = `node-${crypto.randomUUID()}`
  readonly #workers: Worker[] = []
  readonly #accounts: Account[] = []
  readonly #charged: Charged[] = []
  #running: Running[] = []
  #names = 0

  constructor(
    readonly world: TestDatabase,
    readonly journalFolder: string,
  ) {}

  async start() {
    const { database } = this.world
    for (const [quota, keyQuota] of [
      [1000, null],
      [300, 200],
    ] as const) {
      const userId = await aUser(database, quota)
      const tokenId = await aToken(database, userId, keyQuota)
      this.#accounts.push({ userId, tokenId, isTokenLimited: keyQuota !== null, allowance: 0 })
    }
    for (let slot = 0; slot < 2; slot += 1) this.#workers.push(await this.#startWorker())
  }

  async take(step: Step): Promise<void> {
    await this.#act(step).catch((error: unknown) => {
      const isExpected = error instanceof LostConnection || error instanceof AppError
      if (!isExpected) throw error
    })
    await this.#replaceTheDead()
    await this.checkLaws()
  }

  /** Everything ends well; then nothing is leased and nothing acknowledged is missing. */
  async finish() {
    for (const { worker, reservation } of this.#running.splice(0)) worker.ledger?.release(reservation)
    for (const worker of this.#workers) worker.plan(Infinity, false, false)
    await this.#replaceTheDead()
    for (const worker of this.#workers) await worker.ledger?.close()
    await this.checkLaws()
    for (const { userId, tokenId } of this.#accounts) {
      const books = await booksOf(this.world.database, userId)
      if (books.leases !== 0) throw new Error(`${books.leases} leases are left`)
      await this.#checkToken(tokenId)
    }
    const missing = [...(await this.#lost())].filter(({ isAcknowledged }) => isAcknowledged)
    if (missing.length > 0) throw new Error(`acknowledged and not there: ${missing.map((one) => one.requestId).join()}`)
  }

  async checkLaws() {
    for (const { userId } of this.#accounts) {
      const books = await booksOf(this.world.database, userId)
      if (books.free + books.leased + books.used !== books.credited) throw new Error(`money: ${JSON.stringify(books)}`)
      if (books.used !== books.charged || books.requests !== books.charges) {
        throw new Error(`charges: ${JSON.stringify(books)}`)
      }
    }
  }

  async #act(step: Step): Promise<void> {
    if (step.kind === 'wait') return this.clock.advance(step.ms)
    if (step.kind === 'credit') return this.#credit(step)
    if (step.kind === 'adjust') return this.#adjust(step)
    if (step.kind === 'extend') return this.#extend(step)
    if ('pick' in step) return this.#end(step)
    const worker = this.#workers[step.slot]
    if (!worker?.ledger) return
    if (step.kind === 'crash') return worker.plan(step.calls, step.hasEffect, true)
    if (step.kind === 'fault') return worker.plan(step.calls, step.hasEffect, false)
    if (step.kind === 'reserve') return this.#reserve(worker, worker.ledger, step)
    if (step.kind === 'sweep') return this.#unlessDead(worker, worker.ledger.sweep())
    if (step.kind === 'beat') return this.#unlessDead(worker, worker.ledger.beat())
    await this.#unlessDead(worker, worker.ledger.close())
    this.#running = this.#running.filter((running) => running.worker !== worker)
    worker.die()
  }

  #unlessDead<T>(worker: Worker, work: Promise<T>): Promise<T> {
    return Promise.race([work, worker.death])
  }

  async #reserve(worker: Worker, ledger: LedgerWorker, { user, estimate, least }: Step & { kind: 'reserve' }) {
    const account = this.#accounts[user]
    if (!account) return
    const before = await booksOf(this.world.database, account.userId)
    const work = Promise.resolve(
      ledger.reserve(`r${(this.#names += 1)}-${this.nodeId}`, account, { most: estimate, least }),
    )
    const reservation = await this.#unlessDead(worker, work)
    this.#running.push({ worker, account, reservation })
    this.#checkNotOverspent(account, before.credited)
  }

  async #extend({ pick, amount }: Step & { kind: 'extend' }) {
    const { worker, account, reservation } = this.#running[pick % Math.max(1, this.#running.length)] ?? {}
    if (!worker?.ledger || !account || !reservation) return
    const before = await booksOf(this.world.database, account.userId)
    await this.#unlessDead(worker, Promise.resolve(worker.ledger.extend(reservation, { most: amount, least: 1 })))
    this.#checkNotOverspent(account, before.credited)
  }

  /** What was spent and what is held never exceed what came in, but for what calls cost beyond their reservations. */
  #checkNotOverspent(account: Account, credited: number) {
    const spent = this.#charged.filter((one) => one.account === account).reduce((sum, { cost }) => sum + cost, 0)
    const held = this.#running
      .filter((one) => one.account === account)
      .reduce((sum, one) => sum + one.reservation.amount, 0)
    if (spent + held > credited + account.allowance) {
      throw new Error(`${spent} spent and ${held} held of ${credited}, ${account.allowance} allowed`)
    }
  }

  async #end(step: Step & { pick: number }) {
    const index = step.pick % Math.max(1, this.#running.length)
    const running = this.#running[index]
    const ledger = running?.worker.ledger
    if (!running || !ledger) return
    const { worker, account, reservation } = running
    this.#running.splice(index, 1)
    if (step.kind !== 'charge') {
      ledger.release(reservation)
      if (step.kind === 'end twice') {
        ledger.release(reservation)
        await ledger.charge(reservation, aCharge(1_000_000, account))
      }
      return
    }
    account.allowance += Math.max(0, step.cost - reservation.amount)
    const charged = { requestId: reservation.requestId, account, cost: step.cost, isAcknowledged: false }
    this.#charged.push(charged)
    const { userId, tokenId } = account
    await this.#unlessDead(
      worker,
      ledger.charge(reservation, { ...aCharge(step.cost, { userId, tokenId }), isLogged: step.isLogged }),
    )
    charged.isAcknowledged = true
  }

  async #credit({ user, amount, repeats }: Step & { kind: 'credit' }) {
    const account = this.#accounts[user]
    const ledger = this.#workers.find(({ isDead }) => !isDead)?.ledger
    if (!account || !ledger) return
    const credit = {
      id: `credit:${(this.#names += 1)}:${this.nodeId}`,
      userId: account.userId,
      kind: 'top-up',
      amount,
    } as const
    for (let time = 0; time < repeats; time += 1) await ledger.credit(credit)
  }

  /** The administrator's page asks a worker that has no faults. */
  async #adjust({ user, quota }: Step & { kind: 'adjust' }) {
    const account = this.#accounts[user]
    const ledger = this.#workers.find(({ isDead }) => !isDead)?.ledger
    if (!account || !ledger) return
    const id = `adjust:${(this.#names += 1)}:${this.nodeId}`
    try {
      await ledger.adjustBalance(id, account.userId, quota)
    } finally {
      // Read from the books: the change may be made although its answer was lost.
      account.allowance += await this.#takenAway(id)
    }
  }

  async #takenAway(id: string): Promise<number> {
    const { query } = this.world.database
    const credit = await query.selectFrom('credits').select('amount').where('id', '=', id).executeTakeFirst()
    return Math.max(0, -(credit?.amount ?? 0))
  }

  /** What the supervisor does: settle what a dead worker left, start another. */
  async #replaceTheDead() {
    const { database } = this.world
    for (const [slot, worker] of this.#workers.entries()) {
      if (!worker.isDead) continue
      const others = this.#workers.filter((other) => other !== worker && !other.isDead)
      const live = others.flatMap(({ ledger }) => (ledger ? [this.#ids.get(ledger) ?? ''] : []))
      this.#running = this.#running.filter((running) => running.worker !== worker)
      await recoverNode(database, this, () => live)
      this.#workers[slot] = await this.#startWorker()
      if (others.length > 0) await this.#forgetTheLost(others)
    }
  }

  readonly #ids = new WeakMap<LedgerWorker, string>()

  async #startWorker(): Promise<Worker> {
    const worker = new Worker()
    const workerId = `w${(this.#names += 1)}-${this.nodeId}`
    worker.ledger = await openLedger(
      ledgerOptions(faultyDatabase(this.world.database, worker.nextFault), {
        clock: this.clock,
        workerId,
        nodeId: this.nodeId,
        journalFolder: this.journalFolder,
        openJournal: worker.openJournal,
        // A dead worker waits for ever; a living one tries again at once, and time passes.
        timers: {
          ...systemTimers,
          // Charges do not gather; what is only there for bad days keeps its time.
          after: (ms, work) => systemTimers.after(ms < 100 ? 0 : ms, work),
          wait: async (ms) => {
            if (worker.isDead) await new Promise(() => {})
            this.clock.advance(Math.min(ms, 200))
            await Bun.sleep(0)
          },
        },
      }),
    )
    this.#ids.set(worker.ledger, workerId)
    return worker
  }

  /** A charge that was never acknowledged and died with its worker is no debt; one that waits in a living worker is. */
  async #forgetTheLost(others: readonly Worker[]) {
    for (const worker of others) await this.#settled(worker)
    for (const lost of await this.#lost()) {
      if (!lost.isAcknowledged) this.#charged.splice(this.#charged.indexOf(lost), 1)
    }
  }

  /** Wait until everything that a living worker took is in the database. */
  async #settled(worker: Worker) {
    while (worker.ledger && !worker.isDead) {
      const { pendingCharges, journalDepth } = worker.ledger.stats()
      if (pendingCharges === 0 && journalDepth === 0) return
      await Bun.sleep(0)
    }
  }

  async #lost(): Promise<Set<Charged>> {
    const rows = await this.world.database.query
      .selectFrom('charges')
      .select(['request_id', 'quota', 'user_id'])
      .execute()
    const there = new Map(rows.map((row) => [`${row.user_id}:${row.request_id}`, row.quota]))
    for (const { account, requestId, cost } of this.#charged) {
      const quota = there.get(`${account.userId}:${requestId}`)
      if (quota !== undefined && quota !== cost) throw new Error(`${requestId} cost ${cost} and was charged ${quota}`)
    }
    return new Set(this.#charged.filter(({ account, requestId }) => !there.has(`${account.userId}:${requestId}`)))
  }

  async #checkToken(tokenId: number) {
    const { query } = this.world.database
    const token = await query.selectFrom('tokens').selectAll().where('id', '=', tokenId).executeTakeFirstOrThrow()
    const charges = await query.selectFrom('charges').select('quota').where('token_id', '=', tokenId).execute()
    const spent = charges.reduce((sum, { quota }) => sum + quota, 0)
    if (token.used_quota !== spent) throw new Error(`the token spent ${spent} and says ${token.used_quota}`)
    if (token.unlimited_quota === 0 && token.remain_quota !== 200 - spent) {
      throw new Error(`the token has ${token.remain_quota} left of 200 after ${spent}`)
    }
  }
}
