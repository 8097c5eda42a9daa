import type { Socket } from 'bun'

import { wordsOf } from '@tollgate/simulator'

import type { LoadRun } from './load-run'

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')
const empty: Buffer = Buffer.alloc(0)
/** How the text of every answer begins, in any dialect. Earlier bytes only open the answer. */
const firstWord = Buffer.from(`"${wordsOf(1).join('')}`)
/** A call that leaves early leaves after one to this many reads. */
const maxReads = 8

/** One connection: reads just enough HTTP to know when an answer is over. */
export class Caller {
  isBusy = false
  #unsent: Buffer = empty
  #startedAt = 0
  #readAt = 0
  #head: Buffer = empty
  #hasHead = false
  #hasBody = false
  #hasSpoken = false
  /** Reads until this call leaves; endless when it stays. */
  #readsLeft = Infinity
  /** Bytes of the body still to come; -1: chunked. */
  #missing = 0
  #tail: Buffer = empty

  constructor(
    private readonly run: LoadRun,
    private readonly socket: Pick<Socket<Caller>, 'write' | 'end' | 'terminate'>,
  ) {}

  begin(): void {
    const number = this.run.begin()
    this.isBusy = number > 0
    if (!this.isBusy) {
      this.socket.end()
      return
    }
    if (this.run.options.leavesEarly) this.#readsLeft = 1 + (number % maxReads)
    this.#head = empty
    this.#hasHead = false
    this.#hasBody = false
    this.#hasSpoken = false
    this.#startedAt = performance.now()
    this.#unsent = this.run.options.request
    this.send()
  }

  /** As much of the request as the kernel takes now. */
  send(): void {
    if (this.#unsent.length > 0) this.#unsent = this.#unsent.subarray(Math.max(this.socket.write(this.#unsent), 0))
  }

  receive(bytes: Buffer): void {
    const body = this.#hasHead ? bytes : this.#readHead(bytes)
    if (body === null || body.length === 0) return
    const isOver = this.#isOver(body)
    this.#noteTime(body, isOver)
    if (isOver) this.#finish()
    else if ((this.#readsLeft -= 1) <= 0) this.#leave()
  }

  /** The end of a stream is not a frame: frames dropped before it do not count as late. */
  #noteTime(body: Buffer, isOver: boolean): void {
    const now = performance.now()
    const { paceMs } = this.run.options
    if (!this.#hasSpoken && (isOver || body.includes(firstWord))) {
      this.#hasSpoken = true
      this.run.firstTokens.push(now - this.#startedAt)
    }
    if (this.#hasBody && paceMs !== undefined && !isOver)
      this.run.lateness.push(Math.max(now - this.#readAt - paceMs, 0))
    this.#hasBody = true
    this.#readAt = now
  }

  #readHead(bytes: Buffer): Buffer | null {
    this.#head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes])
    const end = this.#head.indexOf(headEnd)
    if (end < 0) return null
    const head = this.#head.toString('latin1', 0, end).toLowerCase()
    if (!head.startsWith('http/1.1 200')) this.run.failures += 1
    const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
    this.#missing = length === undefined ? -1 : Number(length)
    this.#tail = empty
    this.#hasHead = true
    return this.#head.subarray(end + headEnd.length)
  }

  #isOver(body: Buffer): boolean {
    if (this.#missing >= 0) {
      this.#missing -= body.length
      return this.#missing <= 0
    }
    this.#tail =
      body.length >= lastChunk.length
        ? body.subarray(-lastChunk.length)
        : Buffer.concat([this.#tail, body]).subarray(-lastChunk.length)
    return this.#tail.equals(lastChunk)
  }

  #finish(): void {
    this.isBusy = false
    this.run.calls += 1
    this.run.latencies.push(performance.now() - this.#startedAt)
    const { pauseMs = 0, leavesEarly = false } = this.run.options
    if (leavesEarly) this.socket.end()
    else if (pauseMs > 0) setTimeout(() => this.begin(), pauseMs)
    else this.begin()
  }

  #leave(): void {
    this.isBusy = false
    this.run.calls += 1
    this.socket.terminate()
  }
}
