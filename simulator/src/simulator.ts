import { Refusal, type SimulatedResponse, whole } from './simulated-response'
import type { Behaviour } from './behaviour'
import { behaviourOf } from './behaviour-text'
import { deliveryOf } from './delivery'
import type { Dialect } from './dialect'
import { dialectOf } from './dialects'
import { listen, type After, type Exchange } from './http/server'
import type { Account } from './openai/account'
import { readCall } from './read-call'
import { Served, type Outcome, type RecordedRequest } from './record'
import { Script } from './script'
import { transmit } from './transmit'
import type { Wire } from './wire'

export interface SimulatorOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  readonly hostname?: string
  /** What every answer does unless something more particular is asked for. */
  readonly defaults?: Behaviour
  /** Keys that are let in; all of them when left out. */
  readonly keys?: readonly string[]
  /** Models that are listed. */
  readonly models?: readonly string[]
  /** The header that carries the caller's request id. Default `x-request-id`. */
  readonly requestIdHeader?: string
  /** False: count, but keep no requests; for long loads. */
  readonly keepRequests?: boolean
  /** How it waits. Default: the machine's time. */
  readonly after?: After
}

/** A stand-in upstream. */
export interface Simulator {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** In the order of their arrival. */
  readonly requests: readonly RecordedRequest[]
  /** Sums of what was served; a request counts when it is over. */
  readonly served: Served
  /** Models it lists and the balance it reports; may be changed at any time. */
  readonly account: Account
  /** Behave so for the next request; several calls queue up. */
  next(behaviour: Behaviour): void
  /** Behave so for each request that matches, until the returned function is called. The youngest rule wins. */
  when(matches: (request: RecordedRequest) => boolean, behaviour: Behaviour): () => void
  /** Resolves with the n-th request since the start or the last reset, as soon as it has arrived. */
  arrival(number: number): Promise<RecordedRequest>
  /** Resolves when no request is open. */
  quiet(): Promise<void>
  /** Forget requests, counts and script. Open requests end as they would. */
  reset(): void
  stop(): Promise<void>
}

const defaultModels = ['gpt-4o', 'gpt-4o-mini', 'text-embedding-3-small', 'omni-moderation-latest']

/** Start a stand-in upstream on loopback. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = new RunningSimulator(options)
  simulator.start()
  return simulator
}

class RunningSimulator implements Simulator {
  readonly requests: RecordedRequest[] = []
  readonly served = new Served()
  readonly account: Account
  readonly #script = new Script()
  readonly #open = new Set<RecordedRequest>()
  readonly #arrivals = new Map<number, PromiseWithResolvers<RecordedRequest>>()
  #count = 0
  #server: ReturnType<typeof listen> | null = null

  constructor(private readonly options: SimulatorOptions) {
    this.account = { models: [...(options.models ?? defaultModels)], balance: 42.5 }
  }

  start(): void {
    const hostname = this.options.hostname ?? '127.0.0.1'
    this.#server = listen({ hostname, port: this.options.port ?? 0, after: this.options.after }, (exchange) =>
      this.#serve(exchange),
    )
  }

  get port(): number {
    return this.#server?.port ?? 0
  }

  get url(): string {
    return `http://${this.options.hostname ?? '127.0.0.1'}:${this.port}`
  }

  next(behaviour: Behaviour): void {
    this.#script.next(behaviour)
  }

  when(matches: (request: RecordedRequest) => boolean, behaviour: Behaviour): () => void {
    return this.#script.when(matches, behaviour)
  }

  arrival(number: number): Promise<RecordedRequest> {
    const known = this.requests.find((request) => request.number === number)
    if (known) return Promise.resolve(known)
    const waiting = this.#arrivals.get(number) ?? Promise.withResolvers<RecordedRequest>()
    this.#arrivals.set(number, waiting)
    return waiting.promise
  }

  async quiet(): Promise<void> {
    while (this.#open.size > 0) await Promise.all([...this.#open].map((request) => request.ended))
  }

  reset(): void {
    this.requests.length = 0
    this.served.clear()
    this.#script.clear()
    this.#arrivals.clear()
    this.#count = 0
  }

  async stop(): Promise<void> {
    await this.#server?.stop()
    this.#server = null
  }

  async #serve(exchange: Exchange): Promise<void> {
    const ended = Promise.withResolvers<Outcome>()
    const request = this.#record(exchange, ended.promise)
    this.#open.add(request)
    const outcome = await this.#respond(exchange, request)
    request.outcome = outcome
    request.endedAt = performance.now()
    this.#open.delete(request)
    this.served.add(request)
    ended.resolve(outcome)
  }

  #record(exchange: Exchange, ended: Promise<Outcome>): RecordedRequest {
    this.#count += 1
    const request = recordOf(exchange, this.#count, this.options.requestIdHeader ?? 'x-request-id', ended)
    if (this.options.keepRequests !== false) this.requests.push(request)
    this.#arrivals.get(request.number)?.resolve(request)
    this.#arrivals.delete(request.number)
    return request
  }

  async #respond(exchange: Exchange, request: RecordedRequest): Promise<Outcome> {
    const dialect = dialectOf(request)
    const { response, behaviour } = this.#decide(request, dialect)
    const delivery = deliveryOf(response, behaviour, dialect.wire)
    request.status = delivery.status
    if (delivery.hasStarted) request.started = response.counted
    if (delivery.isResponse) {
      request.counted = response.counted
      request.responseId = response.responseId
    }
    return transmit(exchange, delivery, behaviour, request)
  }

  #decide(request: RecordedRequest, dialect: Dialect): { response: SimulatedResponse; behaviour: Behaviour } {
    const { wire } = dialect
    const refuse = (refusal: Refusal) => ({ response: refusedWith(refusal, wire), behaviour: {} })
    if (this.options.keys && !dialect.isAside?.(request) && !this.options.keys.includes(request.apiKey)) {
      return refuse(new Refusal(401, 'Incorrect API key provided', 'invalid_request_error', 'invalid_api_key'))
    }
    try {
      const behaviour = fitting(this.#behaviourFor(request, dialect), wire)
      const missing = new Refusal(404, 'The simulator has no such call')
      return { response: dialect.respond(request, behaviour, this.account) ?? refusedWith(missing, wire), behaviour }
    } catch (error) {
      if (error instanceof Refusal) return refuse(error)
      if (!(error instanceof RangeError)) throw error
      return refuse(new Refusal(400, error.message))
    }
  }

  #behaviourFor(request: RecordedRequest, dialect: Dialect): Behaviour {
    const requested = [request.apiKey, request.model].map((text) => {
      const behaviour = behaviourOf(text)
      return behaviour ? this.#script.onlyEvery(behaviour, text) : {}
    })
    return Object.assign(
      {},
      this.options.defaults,
      ...requested,
      this.#script.take(request, dialect.isAside?.(request) === true),
    )
  }
}

const refusedWith = (refusal: Refusal, wire: Wire): SimulatedResponse => ({
  ...whole(wire.errorBody(refusal.status, refusal), null, null, refusal.status),
  headers: wire.errorHeaders?.(refusal.status, refusal),
})

/** A failed answer is an error after all of it, in dialects that have no form for it. */
const fitting = (behaviour: Behaviour, wire: Wire): Behaviour =>
  behaviour.ending === 'failed' && !wire.hasFailedForm
    ? { ...behaviour, fault: { kind: 'error-in-200', afterFrames: Infinity } }
    : behaviour

function recordOf(
  exchange: Exchange,
  number: number,
  requestIdHeader: string,
  ended: Promise<Outcome>,
): RecordedRequest {
  return {
    ...readCall(exchange.request, number),
    requestId: exchange.request.headers[requestIdHeader] ?? '',
    status: 0,
    responseId: null,
    counted: null,
    started: null,
    bytesDelivered: 0,
    framesDelivered: 0,
    isStalled: false,
    outcome: 'open',
    startedAt: performance.now(),
    endedAt: null,
    ended,
  }
}
