import { isObject, parseAnswer, type JsonObject } from '@tollgate/dialects'

import { bearer } from '../auth'
import { keyFormat, regionalBaseUrlField } from '../fields'
import { modelListAt, parseModelList } from '../model-list'
import { defineProvider } from '../provider'

const ends: ReadonlySet<unknown> = new Set([
  'conversation.chat.completed',
  'conversation.chat.failed',
  'conversation.chat.canceled',
  'conversation.chat.requires_action',
  'error',
])

/** The events of a stream in a list, each with its name. A stream that was cut off leaves nothing; what is not a stream stays as it is. */
function collect(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(body)
  if (text.trimStart().startsWith('{')) return body
  const events = text.replaceAll('\r\n', '\n').split('\n\n').flatMap(eventIn)
  const isWhole = events.some(({ event }) => ends.has(event))
  return new TextEncoder().encode(isWhole ? JSON.stringify({ events }) : '')
}

function eventIn(block: string): JsonObject[] {
  const name = /^event: ?(.*)$/m.exec(block)?.[1]
  const data = /^data: ?(\{.*\})$/m.exec(block)?.[1]
  if (data === undefined) return []
  try {
    const event: unknown = parseAnswer(data)
    return isObject(event) ? [{ ...event, ...(name !== undefined && { event: name }) }] : []
  } catch {
    return []
  }
}

/** https://www.coze.cn/open/docs/developer_guides/coze_error_codes */
const errorStatuses = {
  4000: 400,
  4001: 400,
  4002: 400,
  4003: 400,
  4004: 400,
  4005: 400,
  4006: 404,
  4008: 429,
  4009: 429,
  4010: 400,
  4011: 402,
  4012: 404,
  4013: 502,
  4014: 400,
  4015: 404,
  4016: 429,
  4019: 402,
  4020: 429,
  4021: 404,
  4022: 402,
  4100: 401,
  4101: 403,
  4102: 403,
  4105: 400,
  4200: 404,
  4300: 400,
  4302: 400,
  4303: 400,
  4304: 400,
  700012006: 401,
  requires_action: 400,
  5000: 500,
} as const

/** Bots of Coze, by their ids. They answer in the background or in a stream, so every answer is a stream. */
export const coze = defineProvider({
  type: 53,
  id: 'coze',
  name: { en: 'Coze', zh: '扣子 Coze' },
  baseUrl: 'https://api.coze.cn',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('pat_…'),
  modes: {
    chat: {
      dialect: 'coze-chat',
      url: ({ baseUrl }) => `${baseUrl}/v3/chat`,
      inAddress: ['conversation_id'],
      acceptsStreamOptions: false,
      collect,
      errorStatuses,
    },
  },
  fields: [
    regionalBaseUrlField('https://api.coze.cn', 'https://api.coze.com'),
    {
      name: 'other',
      kind: 'text',
      label: { en: 'Workspace', zh: '工作空间 ID' },
      hint: {
        en: 'Its id, for the list of published bots. Models are bot ids; the model mapping gives them names',
        zh: '用于获取该空间已发布的智能体列表。模型即智能体 ID，可在模型重定向中为其命名',
      },
    },
  ],
  models: ['coze-bot'],
  modelList: {
    ...modelListAt(
      ({ baseUrl, other }) => `${baseUrl}/v1/bots?workspace_id=${encodeURIComponent(other)}&page_size=100`,
    ),
    parse: (answer) => parseModelList(isObject(answer) && isObject(answer['data']) ? answer['data']['items'] : answer),
  },
})
