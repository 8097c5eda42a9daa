import { isObject, sessionFacts, type JsonObject } from '@tollgate/dialects'
import { z } from 'zod'

import { AppError } from '../../platform/app-error'
import { newResponseId } from '../../http/request/request-id'
import { sha256, type SealContext } from '../../platform/store/seal'
import { admitCaller, isLargeBody, requireBalance } from '../stages/admit'
import { hashedKeyCaller, keyCaller, presentedKey, usedName } from '../stages/authenticate'
import { checkRates } from '../admission/rate-limits'
import { readJsonBody } from '../admission/read-body'
import type { Caller, IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import { callHeaders } from '../delivery/response-headers'
import { admittedSession, realtimeEndpoint } from './admitted-session'
import { checkConfiguration } from './checked-event'
import { Conversation } from './conversation'
import { priceNow } from './hold'

/** What a secret grants. */
const Granted = z.object({
  keyHash: z.string(),
  /** As in a key that names one. */
  channel: z.string().nullable(),
  model: z.string(),
  configuration: z.record(z.string(), z.unknown()),
})
type Granted = z.infer<typeof Granted>

const prefix = 'ek_'
const sealContextOf = (hash: string): SealContext => `realtime_secrets.sealed#${hash}`

const usualSeconds = 600
const Seconds = z.int().min(10).max(7200)
/** A configuration is kept in the database until its secret expires. */
const maxBytes = 1024 * 1024

/**
 * Creates a secret with which a client opens sessions for a while, without the key: for this model, with this configuration. It ends with
 * its key. https://platform.openai.com/docs/api-reference/realtime-sessions/create-realtime-client-secret
 * @throws AppError
 */
export async function createClientSecret(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  const { ctx } = deps
  if (call.method !== 'POST')
    throw new AppError('endpoint.method', { params: { method: call.method, allowed: 'POST' } })
  const caller = await keyCaller(call, deps)
  admitCaller(caller, call, ctx)
  await checkRates(call, caller, deps)
  if (isLargeBody(call.request)) await requireBalance(call, caller, ctx)
  const presented = presentedKey(call.request.headers, call.query)
  using room = deps.inFlight.memory.open(caller.payer.userId)
  const config = { ...ctx.config, maxRequestBodyBytes: maxBytes }
  const { json } = await readJsonBody(call.request, call.dialect, { config, timers: ctx.timers }, room)
  const seconds = secondsOf(json)
  const { model, ...configuration } = isObject(json['session']) ? json['session'] : {}
  const named = typeof model === 'string' ? model : transcriberOf(configuration)
  const session = admittedSession(call, caller, { model: named, endpoint: realtimeEndpoint }, deps)
  const conversation = new Conversation()
  conversation.addClientEvent({ type: 'session.update', session: configuration })
  priceNow(session, conversation.nextResponse(session.call.pathContext.model))
  await checkConfiguration(configuration, session)
  const secret = newResponseId(ctx, prefix)
  const expiresAt = ctx.clock.seconds() + seconds
  const hash = sha256(secret)
  const granted: Granted = {
    ...(presented ? usedName(presented, deps) : { keyHash: '', channel: null }),
    // An alias stands for a model when the session is opened.
    model: named,
    configuration,
  }
  const sealed = ctx.seal.seal(JSON.stringify(granted), sealContextOf(hash))
  await ctx.database.query.insertInto('realtime_secrets').values({ hash, sealed, expires_at: expiresAt }).execute()
  const issued = {
    value: secret,
    expires_at: expiresAt,
    session: {
      type: 'realtime',
      object: 'realtime.session',
      id: newResponseId(ctx, 'sess_'),
      ...configuration,
      model: granted.model,
    },
  }
  return Response.json(issued, { headers: callHeaders(call) })
}

/** A session that only transcribes has no other model. */
const transcriberOf = (configuration: JsonObject): string =>
  (configuration['type'] === 'transcription' && sessionFacts(configuration).transcriptionModel) || ''

function secondsOf({ expires_after: after }: JsonObject): number {
  const requested = isObject(after) ? after['seconds'] : undefined
  const { success, data } = Seconds.safeParse(requested ?? usualSeconds)
  if (!success) throw new AppError('realtime.secret_seconds')
  return data
}

/** Who opens a session, and what a secret says about it. */
export interface SessionCaller {
  readonly caller: Caller
  /** Null for a key, which grants any model. */
  readonly granted: Pick<Granted, 'model' | 'configuration'> | null
}

/**
 * Resolves with the owner of the key or of the secret with which a session is opened.
 * @throws AppError `key.invalid` for a secret that is unknown or expired; otherwise as `keyCaller`.
 */
export async function sessionCaller(call: IncomingCall, deps: RelayDeps): Promise<SessionCaller> {
  const presented = presentedKey(call.request.headers, call.query)
  if (!presented?.secret.startsWith(prefix)) return { caller: await keyCaller(call, deps), granted: null }
  const granted = await findGranted(sha256(presented.secret), deps)
  // An unknown secret counts as an unknown key.
  if (!granted) return { caller: await keyCaller(call, deps), granted: null }
  return { caller: await hashedKeyCaller(granted.keyHash, granted.channel, call, deps), granted }
}

async function findGranted(hash: string, { ctx }: RelayDeps): Promise<Granted | null> {
  const row = await ctx.database.query
    .selectFrom('realtime_secrets')
    .select('sealed')
    .where('hash', '=', hash)
    .where('expires_at', '>', ctx.clock.seconds())
    .executeTakeFirst()
  return row ? Granted.parse(JSON.parse(ctx.seal.open(row.sealed, sealContextOf(hash)))) : null
}
