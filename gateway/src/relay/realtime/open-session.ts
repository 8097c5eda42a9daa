import type { Choice } from '../../channels/catalog/catalog'
import { startClocks } from '../../channels/calls/clocks'
import type { Prepared } from '../../channels/calls/prepare'
import { prepareSession } from '../../channels/calls/prepare-session'
import { authorizeRequest, refusalOf, renewCredentials, toUpstreamError } from '../../channels/calls/upstream-call'
import { sentSecrets } from '../../channels/calls/sent-secrets'
import { UpstreamError } from '../../channels/calls/upstream-error'
import { HandshakeRefused, type SocketListener, type UpstreamSocket } from '@tollgate/http-client/web-socket'
import { stopWhenLeft } from '../attempt/disconnect'
import type { CallContext } from '../call-context'

/** A session at a channel, before its client has one. */
export interface OpenedSession {
  readonly isProven: true
  readonly prepared: Prepared
  readonly socket: UpstreamSocket
  readonly inbox: Inbox
}

interface SessionRequest {
  /** The client's headers that belong to its dialect. */
  readonly dialectHeaders: Readonly<Record<string, string>>
}

/** Buffers messages of an upstream until the session reads them. */
class Inbox implements SocketListener {
  #early: (() => void)[] = []
  #reader: SessionReader | null = null

  message(bytes: Uint8Array): void {
    const text = decoder.decode(bytes)
    this.#notify((reader) => reader.fromUpstream(text))
  }

  onClose(problem: Error | null): void {
    this.#notify((reader) => reader.upstreamClosed(problem))
  }

  /** Passes on the buffered messages, and every later one. */
  readBy(reader: SessionReader): void {
    this.#reader = reader
    for (const notify of this.#early.splice(0)) notify()
  }

  #notify(notify: (reader: SessionReader) => void): void {
    const reader = this.#reader
    if (reader) notify(reader)
    else this.#early.push(() => this.#reader && notify(this.#reader))
  }
}

interface SessionReader {
  fromUpstream(text: string): void
  upstreamClosed(problem: Error | null): void
}

const decoder = new TextDecoder()

/**
 * Opens a session at one channel.
 * @throws UpstreamError when another channel may do better; AppError when none can.
 */
export async function openSession(
  context: CallContext,
  choice: Choice,
  request: SessionRequest,
): Promise<OpenedSession> {
  const { call, deps } = context
  const { clock } = deps.ctx
  const prepared = prepareSession(
    {
      mode: call.endpoint.mode,
      dialect: call.dialect,
      path: call.path + call.query,
      dialectHeaders: request.dialectHeaders,
    },
    choice,
    call.catalog,
  )
  try {
    return await connect(context, choice, prepared)
  } catch (error) {
    if (!renewCredentials(error, prepared, clock.now())) throw error
    return await connect(context, choice, prepared)
  }
}

async function connect(context: CallContext, choice: Choice, unsigned: Prepared): Promise<OpenedSession> {
  const { departure, deps } = context
  const { ctx, inFlight } = deps
  const { connectTimeoutMs, requestTimeoutMs } = ctx.config
  const limits = { firstByteMs: connectTimeoutMs * 2, idleMs: requestTimeoutMs, totalMs: requestTimeoutMs }
  const clocks = startClocks(ctx, limits, inFlight.upstreams, departure)
  using _ = stopWhenLeft(departure, clocks, ctx.timers, () => 0)
  let prepared = unsigned
  try {
    prepared = { ...unsigned, request: await authorizeRequest(ctx, unsigned, clocks) }
    const inbox = new Inbox()
    const socket = await ctx.upstreams.connect(prepared.request, inbox, clocks.cancellation)
    return { isProven: true, prepared, socket, inbox }
  } catch (cause) {
    const error =
      cause instanceof HandshakeRefused
        ? await refusalOf(cause.response, prepared.description.dialect, choice.channel, clocks, ctx.clock)
        : cause instanceof UpstreamError
          ? cause
          : departure.errorOf(toUpstreamError(clocks, cause), clocks.reason)
    if (!(error instanceof UpstreamError)) throw error
    throw error.withSecrets(choice.key.value, ...sentSecrets(prepared.request))
  } finally {
    clocks.finish()
  }
}
