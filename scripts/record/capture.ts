import {
  dialects,
  isObject,
  translationOf,
  type DialectId,
  type JsonObject,
  type Usage,
} from '../../dialects/src/index'
import {
  descriptionOf,
  withCredentials,
  type ModeDescription,
  type Provider,
  type Target,
} from '../../providers/src/provider'

/** Where and with what the vendor is called. */
export interface CaptureOptions {
  readonly baseUrl: string
  readonly key: string
  readonly model: string
  readonly other?: string
  readonly now: Date
}

/** The members of a fixture that hold what a vendor responds. */
export interface Captured {
  readonly source: Recorded
  readonly answer: JsonObject
  readonly usage: JsonObject | null
  readonly stream: string
  readonly streamUsage: JsonObject
  readonly error: {
    readonly source: Recorded
    readonly status: number
    readonly body: JsonObject
    readonly message: string
  }
  readonly modelList?: JsonObject
}

interface Recorded {
  readonly kind: 'recorded'
  readonly on: string
}

const question: JsonObject = {
  messages: [
    { role: 'system', content: 'Answer in one sentence.' },
    { role: 'user', content: 'When does the harbour freeze?' },
  ],
  max_tokens: 64,
}
const unknownModel = 'a-model-that-does-not-exist'

/**
 * Makes a whole chat call, a streamed one, one for an unknown model and a call for the models, and returns the redacted responses.
 * @throws Error when the vendor serves no chats, or does not respond as expected.
 */
export async function capture(provider: Provider, options: CaptureOptions): Promise<Captured> {
  const source = { kind: 'recorded', on: options.now.toISOString().slice(0, 10) } as const
  const whole = await chat(provider, options, options.model, false)
  const streamed = await chat(provider, options, options.model, true)
  const failed = await chat(provider, options, unknownModel, false)
  if (!whole.isOk) throw new Error(`The vendor responded with ${whole.status}: ${whole.text}`)
  if (!streamed.isOk) throw new Error(`The vendor responded to a stream with ${streamed.status}: ${streamed.text}`)
  if (failed.isOk) throw new Error(`The vendor serves a model named ${unknownModel}`)
  const dialect = dialects[whole.dialect]
  const answer = objectIn(whole.text)
  const list = await modelList(provider, options)
  return {
    source,
    answer,
    usage: usageParts(dialect.readAnswer(answer).usage),
    stream: streamed.text,
    streamUsage: usageParts(usageOfStream(streamed.dialect, streamed.text)) ?? {},
    error: {
      source,
      status: failed.status,
      body: objectIn(failed.text),
      message: dialect.readError(failed.status, failed.text).message,
    },
    ...(list && { modelList: { source, ...list } }),
  }
}

interface Response {
  readonly dialect: DialectId
  readonly isOk: boolean
  readonly status: number
  readonly text: string
}

async function chat(provider: Provider, options: CaptureOptions, model: string, stream: boolean): Promise<Response> {
  const target: Target = {
    baseUrl: options.baseUrl,
    key: options.key,
    model,
    mode: 'chat',
    stream,
    path: '/v1/chat/completions',
    other: options.other ?? '',
    organization: '',
    site: { name: 'Tollgate', url: 'https://tollgate.example' },
  }
  const description = descriptionOf(provider, { mode: 'chat', dialect: 'openai-chat' }, target)
  if (description === undefined) throw new Error(`${provider.id} serves no chats`)
  const body = JSON.stringify(bodyFor(description, target))
  const headers = { 'content-type': 'application/json', ...provider.auth(target), ...description.headers?.(target) }
  const request = { url: description.url(target), headers, body }
  const more = await provider.authorize?.(request, target, { fetch, now: () => options.now.getTime() })
  const sent = withCredentials(request, more ?? {})
  const response = await fetch(sent.url, { method: 'POST', headers: sent.headers, body })
  const text = redacted(await response.text(), options.key, privateMembers)
  return { dialect: description.dialect, isOk: response.ok, status: response.status, text }
}

function bodyFor(description: ModeDescription, target: Target): JsonObject {
  const { model, stream } = target
  const asked = {
    ...question,
    model,
    stream,
    ...(stream && description.acceptsStreamOptions && { stream_options: { include_usage: true } }),
  }
  const translated =
    description.dialect === 'openai-chat'
      ? asked
      : translationOf('openai-chat', description.dialect)?.(asked, { model, isStream: stream }, model).body
  if (!translated) throw new Error(`A chat cannot be translated to ${description.dialect}`)
  return description.shape?.(translated, target).body ?? translated
}

async function modelList({ modelList: call }: Provider, { baseUrl, key, other = '' }: CaptureOptions) {
  if (call === undefined) return null
  const { url, headers } = call.request({ baseUrl, key, other })
  const response = await fetch(url, { headers })
  const answer: unknown = JSON.parse(redacted(await response.text(), key, ownerMembers))
  const shown = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll(key, 'key-1')]),
  )
  return { url: url.replaceAll(key, 'key-1'), headers: shown, baseUrl, answer, models: call.parse(answer) }
}

const ownerMembers = 'user|email|organization|organization_id|account|account_id'
const privateMembers = `${ownerMembers}|id|\\w+_id|\\w+Id|system_fingerprint`

/** Returns a text of JSON with the key, and the values of members that identify an account or a call, replaced. */
export function redacted(text: string, key: string, members = privateMembers): string {
  const named = new RegExp(`"(${members})"(\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'g')
  return text.replaceAll(key, 'key-1').replace(named, '"$1"$2"redacted"')
}

function objectIn(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new Error('The vendor responded with something else than a JSON object')
  return value
}

function usageOfStream(id: DialectId, text: string): Usage | null {
  const tap = dialects[id].createTap({ swallowUsage: false, addUsage: false })
  tap.push(new TextEncoder().encode(text))
  tap.end()
  return tap.usage
}

/** What of a usage a fixture states. */
function usageParts(usage: Usage | null): JsonObject | null {
  if (usage === null) return null
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = usage
  return {
    promptTokens,
    completionTokens,
    ...(cachedTokens > 0 && { cachedTokens }),
    ...(reasoningTokens > 0 && { reasoningTokens }),
  }
}
