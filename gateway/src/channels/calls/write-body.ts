import {
  dialects,
  searchingTranslationOf,
  translationInStepsOf,
  withModel,
  withoutForeignReasoning,
  withoutStreamOptions,
  withStreamUsage,
  type JsonObject,
  type TranslatedCall,
} from '@tollgate/dialects'
import { type ModeDescription, type ShapedBody, type Target, withoutParts } from '@tollgate/providers'

import { AppError } from '../../platform/app-error'
import type { Channel } from '../catalog/catalog'
import type { RequestBody } from '@tollgate/http-client'
import type { Lesson, RequestedCall } from './requested-call'
import type { ParsedBody } from './parsed-body'
import { rewritesFor, rewrittenBody } from './rewrite'
import { writeForm } from './write-form'
import { withAddedMember, withGrownMember, withOtherModel } from './upstream-body'

/** The body of one attempt. */
export interface WrittenBody {
  readonly body: RequestBody
  readonly contentType: string
  /** What goes into the address instead of the body. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly translated?: TranslatedCall
  readonly reasoningEffort?: string
  /** What the vendor cannot be asked for, beside what its dialect cannot express. */
  readonly leftOut?: readonly string[]
  /** Nothing may be left out: the operator wants the client's request as it is. */
  readonly isUntouched?: true
  /** The channel's own, when it was put into the request. */
  readonly systemPrompt?: string
  /** The service tier requested from the upstream; null: the standard one. */
  readonly serviceTier: string | null
}

/**
 * Returns the body that the upstream expects, in steps of which none takes long. `isAsWritten`: the operator of the site wants no optional changes; only another dialect
 * makes changes necessary.
 */
export function* writeBodyInSteps(
  requested: RequestedCall,
  channel: Channel,
  description: ModeDescription,
  target: Target,
  isAsWritten: boolean,
): Generator<undefined, WrittenBody, undefined> {
  const translate = translationFor(requested, channel, description)
  const json = dropUnsoldServiceTier(limitOutput(requested, target.model), requested)
  const isUntouched = isAsWritten || channel.setting.pass_through_body_enabled === true
  if (!translate && isUntouched && !description.needsShape)
    return {
      ...encodeBody(
        requested,
        withUsageAdded(setModel(json, description, target.model), requested, description),
        description,
      ),
      serviceTier: serviceTierIn(json, description),
      isUntouched: true,
    }
  const prompted = withOperatorsPrompt(json, requested, channel)
  const thinking = description.thinking?.(target.model)
  const translated = translate ? yield* translate(prompted, requested.pathContext, target.model, thinking) : undefined
  yield
  const counted = withUsageRequested(
    translated?.body ?? setModel(prompted, description, target.model),
    requested,
    description,
  )
  const shaped = description.shape?.(counted, target) ?? { body: counted }
  const rewritten = rewrittenBody(shaped.body, channel, rewritesFor(channel, target.model))
  const { body: whole, leftOut = shaped.leftOut } = requested.lesson
    ? asTaught(rewritten, shaped, requested.lesson)
    : { body: rewritten }
  const { body, parameters } = description.inAddress
    ? apart(whole, description.inAddress)
    : { body: whole, parameters: undefined }
  yield
  const isJson = translated !== undefined && description.body !== 'form'
  const sent = isJson ? inJson(serialize(body)) : encodeBody(requested, body, description)
  return {
    body: sent.body,
    contentType: sent.contentType,
    parameters,
    serviceTier: serviceTierIn(body, description),
    translated,
    reasoningEffort: shaped.reasoningEffort || undefined,
    leftOut,
    systemPrompt: prompted === json ? undefined : channel.systemPrompt,
  }
}

/**
 * Returns the translation to the upstream's dialect; also from a dialect to itself where responses need changes that only the neutral form
 * allows.
 */
function translationFor({ dialect, search, body }: RequestedCall, { setting }: Channel, description: ModeDescription) {
  if (search) return searchingTranslationOf(dialect, description.dialect, search)
  const isRetold =
    setting.think_tag_to_reasoning === true ||
    (setting.thinking_to_content === true && dialect !== 'openai-chat') ||
    description.needsRewriting?.(body.json) === true
  if (dialect === description.dialect && !isRetold) return null
  const translate = translationInStepsOf(dialect, description.dialect)
  if (!translate && dialect !== description.dialect) throw new AppError('endpoint.unsupported')
  return translate
}

/** Leaves out what the upstream refused. */
function asTaught(body: JsonObject, shaped: ShapedBody, { without = [], withoutReasoning }: Lesson): ShapedBody {
  const leftOut = [...(shaped.leftOut ?? [])]
  const warn = (what: string) => void leftOut.push(what)
  const left = withoutParts(withoutReasoning ? withoutForeignReasoning(body, warn) : body, without, warn)
  return leftOut.length === 0 ? { body: left } : { body: left, leftOut }
}

const setModel = (body: JsonObject, { dialect }: ModeDescription, model: string): JsonObject =>
  (dialects[dialect].withModel ?? withModel)(body, model)

const withOperatorsPrompt = (
  body: JsonObject,
  { dialect }: RequestedCall,
  { systemPrompt, setting }: Channel,
): JsonObject =>
  dialects[dialect].withSystemPrompt?.(body, systemPrompt, setting.system_prompt_override === true) ?? body

/** A body that passes unchanged requests usage too: without it the cost of the call is unknown. Nothing is removed. */
const withUsageAdded = (
  body: JsonObject,
  { isStream }: RequestedCall,
  { acceptsStreamOptions }: ModeDescription,
): JsonObject => (isStream && acceptsStreamOptions ? withStreamUsage(body) : body)

/** The upstream is asked for its usage whether the client wants to see it or not. */
function withUsageRequested(
  body: JsonObject,
  { isStream }: RequestedCall,
  { acceptsStreamOptions }: ModeDescription,
): JsonObject {
  if (!isStream) return body
  return acceptsStreamOptions ? withStreamUsage(body) : withoutStreamOptions(body)
}

/** Returns the body with the limit that the balance sets, in the client's dialect. */
const limitOutput = ({ body: { json }, dialect, maxTokens = null }: RequestedCall, model: string): JsonObject =>
  maxTokens === null ? json : (dialects[dialect].withOutputLimit?.(json, maxTokens, model) ?? json)

/** Returns the body without a service tier that the site does not sell. */
const dropUnsoldServiceTier = (body: JsonObject, { dialect, withoutServiceTier = false }: RequestedCall): JsonObject =>
  withoutServiceTier ? (dialects[dialect].serviceTier?.without(body) ?? body) : body

const serviceTierIn = (body: JsonObject, { dialect }: ModeDescription): string | null =>
  dialects[dialect].serviceTier?.read(body) ?? null

/** Returns the body without these members, and those that are texts by their names. */
function apart(body: JsonObject, names: readonly string[]) {
  const entries = Object.entries(body)
  const parameters = entries.flatMap(([name, value]) =>
    names.includes(name) && typeof value === 'string' ? [[name, value] as const] : [],
  )
  return {
    body: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
    parameters: Object.fromEntries(parameters),
  }
}

const inJson = (text: string): Encoded => ({ body: text, contentType: 'application/json' })

type Encoded = Pick<WrittenBody, 'body' | 'contentType'>

function encodeBody({ body: original }: RequestedCall, body: JsonObject, { body: encoding }: ModeDescription): Encoded {
  const isForm = encoding === 'form' || (encoding === 'as-received' && original.text === '')
  if (!isForm) return inJson(textOf(original, body))
  const { pieces, contentType } = writeForm(body)
  return { body: pieces, contentType }
}

/** Returns the text of a body, keeping as much of the client's own text as possible. */
function textOf(original: ParsedBody, body: JsonObject): string {
  if (original.repeatsNames) return serialize(body)
  if (body === original.json) return original.text
  return spliceText(original, body) ?? serialize(body)
}

/** Returns the client's text with another model and added members; null when more changed. */
function spliceText({ text, json, modelColon }: ParsedBody, body: JsonObject): string | null {
  if (Object.keys(json).some((name) => !(name in body))) return null
  const changed = Object.keys(body).filter((name) => body[name] !== json[name])
  let result: string | null = text
  // The model first: its index refers to the client's text.
  if (changed.includes('model')) {
    if (typeof json['model'] !== 'string') return null
    result = withOtherModel(result, modelColon, json['model'], String(body['model']))
  }
  for (const name of changed.filter((name) => name !== 'model')) {
    if (result === null) return null
    result =
      name in json ? withGrownMember(result, name, json[name], body[name]) : withAddedMember(result, name, body[name])
  }
  return result
}

function serialize(body: JsonObject): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    // Deeper than the stack allows.
    throw new AppError('request.malformed', { cause })
  }
}
