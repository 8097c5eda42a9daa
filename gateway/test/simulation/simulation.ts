import type { Database } from '../../src/platform/store/database'
import { createApplyCharges, type ApplyCharges } from '../../src/billing/ledger/charge/apply-charges'
import { AppError } from '../../src/platform/app-error'
import { LostConnection } from '../faulty-database'
import { makeAccounts, type Accounts } from './accounts'
import type { Backend } from './backend'
import { CommittedReader } from './committed'
import { Dice } from './dice'
import { checkEverything } from './full-check'
import { Node } from './node'
import { Process, VirtualTime } from './process'
import { SimulatedStore, type Fate, type Sent } from './simulated-store'
import { Traffic } from './traffic'
import { Trail } from './trail'
import { Witness, type Role } from './witness'
import { clockChanges } from './windows'
import type { Worker, WorkerSurroundings } from './worker'

export interface SimulationOptions {
  readonly seed: number
  /** Empty, for journals. */
  readonly folder: string
  readonly openBackend: (prepare: (database: Database) => Promise<void>) => Promise<Backend>
  /** Factor by which faults are more frequent than usual. */
  readonly harshness?: number
}

/** Resolves when no promise is pending. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

const fullCheckSteps = 5000

/**
 * Two nodes of two workers on one database. Each step is one random event: a statement arrives, a timer fires, a client calls, a
 * fault strikes. The code is the product's; only time, the network and the faults are simulated.
 */
export class Simulation {
  readonly trail = new Trail()
  /** How often everything in the database was held against the laws. */
  fullChecks = 0
  readonly #nodes: Node[] = []
  readonly #others: Process
  readonly #repeat: ApplyCharges
  readonly #traffic: Traffic
  /** No further faults. */
  #isCalm = false
  /** All disks are full until then. */
  #diskFullUntil = -Infinity
  /** The database does not respond until then. */
  #outageUntil = -Infinity
  #fullCheckAt = fullCheckSteps
  #failure: unknown = null

  static async create(options: SimulationOptions): Promise<Simulation> {
    const opened: { accounts?: Accounts } = {}
    const backend = await options.openBackend(async (database) => {
      opened.accounts = await makeAccounts(database)
    })
    if (!opened.accounts) throw new Error('No accounts')
    const simulation = new Simulation(options, backend, opened.accounts)
    await simulation.#begin()
    return simulation
  }

  readonly time = new VirtualTime()
  readonly witness: Witness
  readonly store: SimulatedStore
  readonly dice: Dice
  readonly #harshness: number

  private constructor(
    { seed, folder, harshness = 1 }: SimulationOptions,
    backend: Backend,
    readonly accounts: Accounts,
  ) {
    const dice = new Dice(seed)
    const store = new SimulatedStore(backend, (error) => (this.#failure ??= error))
    this.dice = dice
    this.store = store
    this.#harshness = harshness
    const surroundings: WorkerSurroundings = {
      time: this.time,
      dice,
      store,
      fateOfJournal: () => this.#fateOfJournal(),
      onKilled: (worker) => this.#handleKill(worker),
    }
    for (const nodeId of ['a', 'b']) {
      this.#nodes.push(new Node(nodeId, folder, 2, surroundings, (error) => this.recordUnlessExpected(error)))
    }
    this.#others = new Process('network', this.time)
    this.#repeat = createApplyCharges(store.databaseOf(this.#others))
    const reader = new CommittedReader(backend.observer, () => store.isFree)
    this.witness = new Witness(
      reader,
      new Set(accounts.limitedTokens),
      (process) => this.#roleOf(process),
      (workerId) => workerId.slice(0, workerId.indexOf('.')),
    )
    this.#traffic = new Traffic({
      dice,
      accounts,
      witness: this.witness,
      onError: (error) => this.recordUnlessExpected(error),
      note: (what) => this.trail.add(what),
      step: () => this.trail.step,
    })
  }

  /** One event. @throws LawBroken */
  async step(): Promise<void> {
    this.trail.step += 1
    this.time.ms += this.dice.below(this.#isDisturbed ? 40 : 4)
    await this.#event()
    await turn()
    await this.#check()
  }

  /** Runs without further faults until every open call has ended and every lease has returned. */
  async finish(): Promise<void> {
    this.#isCalm = true
    this.#diskFullUntil = -Infinity
    this.#outageUntil = -Infinity
    for (const process of this.#processes()) process.goOn()
    await this.#untilQuiet(() => this.#workers.every((worker) => worker.running.size === 0) && this.store.isFree)
    // Charges of leases that others reclaimed may still wait in a journal when the last lease is back.
    await this.#untilQuiet(
      () => this.witness.leases.size === 0 && this.witness.holds.size === 0 && this.witness.isAllCharged,
    )
    await checkEverything(this.store.backend.observer, this.witness.submitted.all)
    this.fullChecks += 1
  }

  async close(): Promise<void> {
    for (const node of this.#nodes) node.die()
    this.#others.die()
    await this.store.backend.close()
  }

  /** Failures caused by a fault are expected; all others are defects. */
  recordUnlessExpected(error: unknown): void {
    if (error instanceof LostConnection || error instanceof AppError) return
    this.#failure ??= error
  }

  async #begin(): Promise<void> {
    await this.witness.begin()
    this.store.onCommitted((process, changed) => this.witness.observe(process, changed))
    for (const node of this.#nodes) void node.start()
  }

  async #event(): Promise<void> {
    const { dice } = this
    if (!this.#isCalm && dice.oneIn(100 / this.#harshness)) return this.#trouble()
    if (dice.oneIn(5))
      return this.#traffic.event(
        this.#workers.filter(({ isServing }) => isServing),
        this.#isCalm,
      )
    const sent = this.store.runnable()
    const due = this.time.due()
    const chosen = dice.below(sent.length + due.length)
    const statement = sent[chosen]
    if (statement) return this.#perform(statement)
    const rings = due[chosen - sent.length]
    if (rings) {
      this.trail.add(`${rings.process.name} ${rings.what}`)
      this.time.take(rings)
    } else if (this.store.hasLate && this.store.isFree) {
      this.trail.add('a late statement')
      await this.store.performLate()
    } else this.time.ms += dice.below(60)
  }

  #perform(statement: Sent): Promise<void> {
    const fate = this.#fateOf()
    this.trail.add(
      `${statement.connection.process.name} ${fate}: ${statement.compiled.sql}`,
      ...statement.compiled.parameters,
    )
    return this.store.perform(statement, fate)
  }

  #fateOf(): Fate {
    if (this.#isCalm) return 'done'
    if (this.time.ms < this.#outageUntil) return 'refused'
    if (!this.dice.oneIn(400 / this.#harshness)) return 'done'
    return this.dice.pick(['refused', 'answer lost', 'late'] as const) ?? 'done'
  }

  #fateOfJournal(): ReturnType<WorkerSurroundings['fateOfJournal']> {
    if (!this.#isCalm && this.time.ms < this.#diskFullUntil) return { fate: 'refused', isDeadly: false }
    if (this.#isCalm || !this.dice.oneIn(200 / this.#harshness)) return { fate: 'done', isDeadly: false }
    const isDeadly = this.dice.oneIn(2)
    const fate = this.dice.oneIn(2) ? ('refused' as const) : ('answer lost' as const)
    this.trail.add(`the journal: ${fate}${isDeadly ? ', and its worker dies' : ''}`)
    return { fate, isDeadly }
  }

  async #trouble(): Promise<void> {
    const { dice } = this
    const which = dice.below(100)
    if (which < 20) return this.#repeatCharges()
    if (which < 35) return this.#kill(dice.pick(this.#workers))
    if (which < 40) return this.#killNode(dice.pick(this.#nodes))
    if (which < 65) return this.#startNode()
    if (which < 72) return this.#standStill(dice.pick(this.#workers))
    if (which < 80) return this.#stop(dice.pick(this.#workers))
    if (which < 88) return this.#changeClock(dice.pick(this.#workers))
    if (which < 90) return this.#passDays()
    if (which < 92) this.#outageUntil = this.time.ms + dice.below(dice.oneIn(5) ? 20_000 : 2000)
    else if (which < 95) this.time.ms += dice.below(3000)
    else if (which < 97) this.#diskFullUntil = this.time.ms + dice.below(6000)
    else return this.#passDays()
  }

  /** The calendar goes on, by hours or days or to where the clocks of a zone change. */
  async #passDays(): Promise<void> {
    const { dice, time } = this
    const change = dice.oneIn(2) ? (dice.pick(clockChanges) ?? 0) * 1000 : 0
    const hours = dice.below(dice.oneIn(3) ? 100 : 4)
    const to = change === 0 ? time.wallMs + hours * 3_600_000 : change + (dice.below(120) - 30) * 60_000
    time.jumpTo(to)
    this.trail.add(`it is ${new Date(to).toISOString()}`)
  }

  /** Applies charges that were durable before once more, in any order. */
  async #repeatCharges(): Promise<void> {
    const { durable } = this.witness.submitted
    const some = Array.from({ length: 1 + this.dice.below(6) }, () => this.dice.pick(durable))
    const records = some.flatMap((submitted) => (submitted ? [submitted.record] : []))
    this.trail.add(`again: ${records.map(({ requestId }) => requestId).join()}`)
    this.#repeat([...records, ...records.slice(0, this.dice.below(3))]).catch((error: unknown) =>
      this.recordUnlessExpected(error),
    )
  }

  async #kill(worker: Worker | undefined): Promise<void> {
    if (!worker || worker.process.isDead) return
    this.trail.add(`${worker.id} dies`)
    worker.die()
    await this.store.dropProcess(worker.process, () => this.dice.oneIn(2))
    this.#replace(worker)
  }

  /** The process died in the middle of its own code. */
  #handleKill(worker: Worker): void {
    worker.die()
    this.#dying = this.#dying.then(() => this.store.dropProcess(worker.process, () => this.dice.oneIn(2)))
    this.#replace(worker)
  }
  #dying: Promise<void> = Promise.resolve()

  #replace(worker: Worker): void {
    const node = this.#nodes.find(({ workers }) => workers.includes(worker))
    if (node) void node.replace(worker)
  }

  async #killNode(node: Node | undefined): Promise<void> {
    if (!node || node.downSince !== null) return
    this.trail.add(`node ${node.nodeId} dies`)
    const processes = [node.supervisor, ...node.workers.map(({ process }) => process)]
    node.die()
    for (const process of processes) await this.store.dropProcess(process, () => this.dice.oneIn(2))
  }

  async #startNode(): Promise<void> {
    const node = this.#nodes.find(({ downSince }) => downSince !== null)
    if (!node) return
    this.trail.add(`node ${node.nodeId} starts`)
    void node.start()
  }

  async #standStill(worker: Worker | undefined): Promise<void> {
    if (!worker) return
    const ms = this.dice.oneIn(3) ? 30_000 + this.dice.below(60_000) : this.dice.below(3000)
    this.trail.add(`${worker.id} stands still for ${ms} ms`)
    worker.process.standStill(ms)
    await this.store.cutOff(worker.process)
    if (this.dice.oneIn(2)) this.time.ms += this.dice.below(ms)
  }

  async #stop(worker: Worker | undefined): Promise<void> {
    if (!worker?.isServing) return
    this.trail.add(`${worker.id} is told to stop`)
    worker.isClosing = true
    void this.#close(worker)
  }

  async #close(worker: Worker): Promise<void> {
    try {
      await worker.ledger?.close()
    } catch (error) {
      return this.recordUnlessExpected(error)
    }
    if (worker.process.isDead) return
    this.trail.add(`${worker.id} ended`)
    this.#handleKill(worker)
  }

  async #changeClock(worker: Worker | undefined): Promise<void> {
    worker?.process.setClock((this.dice.below(4) - 2) * this.dice.below(5_000_000))
  }

  async #check(): Promise<void> {
    await this.#dying
    if (this.#failure) throw this.#failure
    if (this.trail.step < this.#fullCheckAt || !this.store.isFree) return
    this.#fullCheckAt = this.trail.step + fullCheckSteps
    await checkEverything(this.store.backend.observer, this.witness.submitted.all)
    this.fullChecks += 1
  }

  async #untilQuiet(isQuiet: () => boolean): Promise<void> {
    const giveUpAt = this.trail.step + 50_000
    while (!isQuiet()) {
      if (this.trail.step > giveUpAt) this.witness.neverQuiet()
      await this.#startNode()
      await this.step()
    }
  }

  /** The disks or the database do not respond: few steps are enough for it. */
  get #isDisturbed(): boolean {
    return this.time.ms < Math.max(this.#diskFullUntil, this.#outageUntil)
  }

  get #workers(): Worker[] {
    return this.#nodes.flatMap(({ workers }) => workers)
  }

  #processes(): Process[] {
    return [...this.#workers.map(({ process }) => process), ...this.#nodes.map(({ supervisor }) => supervisor)]
  }

  #roleOf(process: Process): Role {
    const kind = process === this.#others ? 'other' : process.name.endsWith('.supervisor') ? 'supervisor' : 'worker'
    return { kind, nodeId: process.name.slice(0, process.name.indexOf('.')), workerId: process.name }
  }
}
