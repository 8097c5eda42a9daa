import { hourSeconds } from '@tollgate/contract'
import { z } from 'zod'

import type { Context } from '../context'
import { messageOf } from '../platform/text/message-of'
import { readNote, setupClosedNote, setupOpenedNote, writeNotes } from '../platform/store/site-notes'

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

  /** Called when the gateway was set up: requests need no longer be observed. */
  finish(): void {
    this.#isClosed = true
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

const loopbackPeer = /^(?:127\.|::1$|::ffff:127\.)/
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/** Headers that proxies add to the requests they pass on, besides those that begin with `x-forwarded`. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-ray',
  'cdn-loop',
] as const

/** The pages that a browser says its request is from. */
const pageHeaders = ['origin', 'referer'] as const

/**
 * Returns whether a request shows that the gateway can be reached from elsewhere: it is for another host than this machine, from the page
 * of another host, or was passed on by a proxy.
 */
export function isFromElsewhere({ headers }: Pick<Request, 'headers'>): boolean {
  const host = headers.get('host')
  if (host !== null && !loopbackHost.test(host)) return true
  if (proxyHeaders.some((name) => headers.has(name))) return true
  for (const name of headers.keys()) if (name.startsWith('x-forwarded')) return true
  return pageHeaders.some((name) => isOfOtherPage(headers.get(name)))
}

function isOfOtherPage(page: string | null): boolean {
  if (page === null) return false
  return !URL.canParse(page) || !loopbackHost.test(new URL(page).host)
}

/**
 * Returns whether a request was made by someone at this machine: from a loopback address, to a loopback host, on a connection that is kept
 * open, without a trace of a proxy or of another site's page. Proxies in their minimal configuration hide everything but that they
 * close the connection after each request.
 */
export function isLocalCaller(request: Pick<Request, 'headers'>, peer: string): boolean {
  const { headers } = request
  if (!loopbackPeer.test(peer) || !headers.has('host') || isFromElsewhere(request)) return false
  return !/\bclose\b/i.test(headers.get('connection') ?? '')
}
