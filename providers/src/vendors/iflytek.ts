import { createHmac } from 'node:crypto'

import { isObject, type JsonObject } from '@tollgate/dialects'

import { bearer } from '../auth'
import { hasPartsOrOne } from '../fields'
import { thinkingChat } from '../modes'
import { type Authorize, defineProvider, type ModeDescription, type Target } from '../provider'
import { composeShape, withMember, type Change } from '../shape'
import { parameterOf, queryOf } from '../urls'
import { sparkAnswer, sparkEvents } from './spark-messages'
import { sparkVersion, versionInName, type SparkVersion } from './spark-versions'

const socketBase = 'https://spark-api.xf-yun.com'
const httpBase = 'https://spark-api-open.xf-yun.com'

/** The codes of `header.code` and of `error.code`: https://www.xfyun.cn/doc/spark/%E6%8E%A5%E5%8F%A3%E8%AF%B4%E6%98%8E.html */
const errorStatuses = {
  10003: 400,
  10004: 400,
  10005: 400,
  10006: 429,
  10007: 429,
  10008: 503,
  10009: 503,
  10012: 500,
  10013: 400,
  10014: 400,
  10015: 403,
  10016: 403,
  10019: 400,
  10110: 503,
  10163: 400,
  10907: 400,
  11200: 403,
  11201: 429,
  11202: 429,
  11203: 429,
} as const

const sparkVersionOf = ({ model, path, other }: Target): SparkVersion =>
  sparkVersion(model, parameterOf(path, 'api-version'), other)

const socketUrl = (target: Target): string =>
  target.baseUrl.replace(/^http/, 'ws') + (sparkVersionOf(target).path ?? '')

const withDomain: Change = (body, target) => {
  const domain = sparkVersionOf(target).domain
  return changeMemberAt(body, ['parameter', 'chat'], (chat) => withMember(chat, 'domain', domain))
}

const withApplication: Change = (body, target) =>
  changeMemberAt(body, ['header'], (header) => withMember(header, 'app_id', readKey(target.key)?.application ?? ''))

/** Older models refuse instructions of the operator: they are told at the beginning of the talk. */
const withoutSystem: Change = (body, target) =>
  sparkVersionOf(target).takesSystem
    ? body
    : changeMemberAt(body, ['payload', 'message'], (message) => {
        const { text } = message
        if (!Array.isArray(text) || !text.some(isInstruction)) return message
        return {
          ...message,
          text: text.flatMap((one: unknown) => (isInstruction(one) ? acknowledgeInstruction(one) : [one])),
        }
      })

const acknowledgeInstruction = (instruction: JsonObject): JsonObject[] => [
  { ...instruction, role: 'user' },
  { role: 'assistant', content: 'Okay' },
]

const isInstruction = (message: unknown): message is JsonObject => isObject(message) && message['role'] === 'system'

/** The body with one object within it changed, or itself where that is missing or stays the same. */
function changeMemberAt(
  body: JsonObject,
  [name, ...rest]: readonly string[],
  change: (member: JsonObject) => JsonObject,
): JsonObject {
  if (name === undefined) return change(body)
  const member = body[name]
  return isObject(member) ? withMember(body, name, changeMemberAt(member, rest, change)) : body
}

const overSocket: ModeDescription = {
  dialect: 'spark-chat',
  url: socketUrl,
  acceptsStreamOptions: false,
  shape: composeShape(withDomain, withApplication, withoutSystem),
  createMessageReader: ({ stream }) => (stream ? sparkEvents() : sparkAnswer()),
  errorStatuses,
}

/** Generations of models have addresses of their own. https://www.xfyun.cn/doc/spark/HTTP%E8%B0%83%E7%94%A8%E6%96%87%E6%A1%A3.html */
const overHttp = thinkingChat((model) => (versionInName(model)?.domain === switched ? { switch: 'thinking' } : null), {
  url: (target) => {
    const base = target.baseUrl === socketBase ? httpBase : target.baseUrl
    const root = versionOverHttp(target)?.root ?? '/v1'
    return `${base}${root}/chat/completions${queryOf(target.path, 'api-version')}`
  },
  acceptsStreamOptions: false,
  changes: [(body, target) => withMember(body, 'model', versionOverHttp(target)?.domain ?? target.model)],
  errorStatuses,
})

/** Models since X1.5 can be told not to think. https://www.xfyun.cn/doc/spark/X1http.html */
const switched = 'spark-x'

/** A model that names no version keeps its name, unless the channel says one. */
const versionOverHttp = (target: Target): SparkVersion | null =>
  versionInName(target.model) === null && target.other.trim() === '' ? null : sparkVersionOf(target)

type Called = Pick<Target, 'key' | 'model' | 'other'>

/** A key of three parts signs the address of a WebSocket; any other is the password of the HTTP API. */
const isSigningKey = ({ key }: Pick<Target, 'key'>): boolean => key.includes('|')

const isOverSocket = (called: Called): boolean =>
  isSigningKey(called) && sparkVersion(called.model, undefined, called.other).path !== null

/** The HTTP API takes the parts of a signing key too. */
function auth(target: Called): Record<string, string> {
  if (isOverSocket(target)) return {}
  const parts = readKey(target.key)
  return bearer()(parts ? { key: `${parts.apiKey}:${parts.secret}` } : target)
}

/** A signature over host, date and path. https://www.xfyun.cn/doc/spark/general_url_authentication.html */
export const signSpark: Authorize = async ({ url }, target, { now }) => {
  if (!isOverSocket(target)) return {}
  const key = readKey(target.key)
  if (key === null) throw new TypeError('The key must be APPID|APISecret|APIKey, or the APIPassword')
  const { host, pathname } = new URL(url)
  const date = new Date(now()).toUTCString()
  const signature = createHmac('sha256', key.secret)
    .update(`host: ${host}\ndate: ${date}\nGET ${pathname} HTTP/1.1`)
    .digest('base64')
  const authorization = `api_key="${key.apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
  return { query: { authorization: Buffer.from(authorization).toString('base64'), date, host } }
}

function readKey(key: string) {
  const [application = '', secret = '', apiKey = '', ...more] = key.split('|').map((part) => part.trim())
  return application === '' || secret === '' || apiKey === '' || more.length > 0
    ? null
    : { application, secret, apiKey }
}

/** Spark, over a WebSocket for keys of three parts, else over HTTP. */
export const iFlytek = defineProvider({
  type: 18,
  id: 'iflytek',
  name: { en: 'iFlytek Spark', zh: '讯飞星火' },
  baseUrl: socketBase,
  auth,
  authorize: signSpark,
  billsAbandoned: 'all',
  key: {
    hint: {
      en: 'APPID|APISecret|APIKey, or the APIPassword of the HTTP API; separate several keys with commas',
      zh: '按 APPID|APISecret|APIKey 的格式填写，或填写 HTTP 接口的 APIPassword；多个密钥以英文逗号分隔',
    },
    several: true,
    isKey: hasPartsOrOne(3),
  },
  modes: { chat: (target) => (isOverSocket(target) ? overSocket : overHttp) },
  fields: [
    {
      name: 'other',
      kind: 'text',
      label: { en: 'Model version', zh: '模型版本' },
      hint: {
        en: 'For models whose names say none, such as SparkDesk: v1.1, v2.1, v3.1, v3.5, v4.0, x1.5 or x2',
        zh: '用于名称中不含版本的模型（如 SparkDesk）：v1.1、v2.1、v3.1、v3.5、v4.0、x1.5 或 x2',
      },
      placeholder: 'v2.1',
      default: 'v2.1',
    },
  ],
  models: [
    'SparkDesk',
    'SparkDesk-x1',
    'SparkDesk-v4.0',
    'SparkDesk-v3.5',
    'SparkDesk-v3.5-32K',
    'SparkDesk-v3.1',
    'SparkDesk-v3.1-128K',
    'SparkDesk-v2.1',
    'SparkDesk-v1.1',
  ],
})
