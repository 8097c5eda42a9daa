import { hourSeconds } from '@tollgate/contract'
import { z } from 'zod'

import type { Context } from '../context'
import { messageOf } from '../platform/text/message-of'
import { readNote, setupClosedNote, setupOpenedNote, writeNotes } from '../platform/store/site-notes'
import { isFromElsewhere, isLocalCaller } from './request/local-caller'

/** How long after the first start someone at the machine may set the gateway up without the code. */
const openSeconds = hourSeconds

interface SetupAccessOptions {
  /** Empty: the gateway is set up, or asks no one. */
  readonly code: string
  /** Unix seconds. */
  readonly startedAt: number
}

/**
 * Decides who may set the gateway up without the code: someone at the machine itself, within the first hour, while no request has shown that the
 * gateway can be reached from elsewhere. The first that does ends it for good, for all workers and nodes and also after a restart.
 */
export class SetupAccess {
  readonly code: string
  readonly #startedAt: number
  #isClosed: boolean
  #closing: Promise<void> = Promise.resolve()

  constructor(
    private readonly ctx: Pick<Context, 'config' | 'database' | 'clock' | 'log'>,
    { code, startedAt }: SetupAccessOptions,
  ) {
    this.code = code
    this.#startedAt = startedAt
    this.#isClosed = code === '' || ctx.config.requireSetupCode
  }

  /** Called with every request. */
  observe(request: Pick<Request, 'headers'>): void {
    if (this.#isClosed || !isFromElsewhere(request)) return
    this.#isClosed = true
    this.#closing = this.#keepClosed()
  }

  /** Resolves with whether this caller must give the code. */
  async requiresCode(request: Pick<Request, 'headers'>, peer: string): Promise<boolean> {
    if (this.code === '') return false
    if (this.#isClosed || !isLocalCaller(request, peer)) return true
    await this.#closing
    const { query } = this.ctx.database
    if ((await readNote(query, setupClosedNote, z.unknown())) !== null) return true
    const openedAt = (await readNote(query, setupOpenedNote, z.number())) ?? this.#startedAt
    return this.ctx.clock.seconds() >= openedAt + openSeconds
  }

  async #keepClosed(): Promise<void> {
    try {
      await writeNotes(this.ctx.database.query, [{ name: setupClosedNote, value: true }], this.ctx.clock.now())
    } catch (error) {
      // This worker asks for the code all the same.
      this.ctx.log.warn({ reason: messageOf(error) }, 'that the set-up code is asked for could not be noted')
    }
  }
}
