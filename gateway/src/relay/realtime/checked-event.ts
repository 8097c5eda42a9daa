import {
  isObject,
  objectNames,
  sessionFacts,
  textsOfClientEvent,
  usualSession,
  type JsonObject,
} from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { admitModel } from '../stages/admit'
import { refuseForbiddenWords } from '../content-policy/forbidden-words'
import { refuseUnoffered } from '../objects/object-access'
import type { SessionContext } from './hold'
import { requirePrice } from './transcript-charges'

/** An event of a client, parsed. */
interface Parsed {
  readonly type: string
  readonly event: JsonObject
}

/**
 * Resolves with an event as it goes to the upstream: its text, or with the upstream's name for the model.
 * @throws AppError `request.sensitive_words`, `model.unpriced` for a model that transcribes, `realtime.model` for another model than that of
 * the session: it would be served at the price of this one, `object.none`.
 */
export async function checkedEvent(
  text: string,
  { type, event }: Parsed,
  session: SessionContext,
  upstreamModel: string,
): Promise<string> {
  const { session: configuration } = event
  if (!configures(type) || !isObject(configuration)) {
    requireOffered(event['response'], session)
    await refuseForbiddenWords(session.deps.ctx.catalog.current, textsOfClientEvent(event))
    return text
  }
  await checkConfiguration(configuration, session)
  const { model } = configuration
  if (model === undefined || model === upstreamModel) return text
  const { pathContext, findings } = session.call
  if (model !== pathContext.model && model !== findings.model) throw new AppError('realtime.model')
  return JSON.stringify({ ...event, session: { ...configuration, model: upstreamModel } })
}

/** In the beta, a session that only transcribed had an event of its own. */
const configures = (type: string): boolean => type === 'session.update' || type === 'transcription_session.update'

/** Refuses a configuration that the site does not allow. @throws AppError `request.sensitive_words`, `model.unpriced`, `caller.model`, `object.none`. */
export async function checkConfiguration(configuration: JsonObject, session: SessionContext): Promise<void> {
  requireOffered(configuration, session)
  await refuseForbiddenWords(session.deps.ctx.catalog.current, textsOfClientEvent({ session: configuration }))
  const { transcriptionModel } = sessionFacts(configuration, usualSession)
  if (transcriptionModel === null) return
  requirePrice(session, transcriptionModel)
  // Elsewhere the transcript is a part of a conversation with a model that the key may use.
  if (isTranscription(session.call.query)) admitModel(session.caller, transcriptionModel)
}

/** Refuses what the channel's account has and no one offers: sessions leave nothing there. @throws AppError `object.none`. */
function requireOffered(configuration: unknown, { caller, deps: { ctx } }: SessionContext): void {
  if (!isObject(configuration)) return
  const { prompt, tools } = configuration
  refuseUnoffered(objectNames({ prompt, tools }), caller, ctx.catalog.current.options)
}

/** Returns whether a session only transcribes. */
export const isTranscription = (query: string): boolean => new URLSearchParams(query).get('intent') === 'transcription'
