import { isObject, parseAnswer, type JsonObject } from '@tollgate/dialects'

import { bearer } from '../auth'
import { baseUrlField, keyFormat } from '../fields'
import { defineProvider, type ModeTarget, type Target } from '../provider'
import { withMember, withoutMembers } from '../shape'

type Application = 'chat' | 'completion' | 'workflow'

const paths: Readonly<Record<Application, string>> = {
  chat: '/v1/chat-messages',
  completion: '/v1/completion-messages',
  workflow: '/v1/workflows/run',
}

/** What a model's name says, or else the channel. */
function applicationOf({ model, other }: Pick<ModeTarget, 'model' | 'other'>): Application {
  const named = /-(chat|agent|completion|workflow)$/.exec(model)?.[1] ?? other.trim()
  return named === 'completion' || named === 'workflow' ? named : 'chat'
}

/** An address may have the version already, as the vendor shows it. */
const url = (target: Target): string => target.baseUrl.replace(/\/v1$/, '') + paths[applicationOf(target)]

/** Without a talk the question is an input. https://docs.dify.ai/en/api-reference/workflows/run-workflow */
function shape(body: JsonObject, target: Target) {
  const { query, inputs } = body
  if (applicationOf(target) === 'chat' || query === undefined) return { body }
  const rest = withoutMembers(body, 'query', 'conversation_id', 'auto_generate_name')
  return { body: withMember(rest, 'inputs', { query, ...(isObject(inputs) ? inputs : {}) }) }
}

const ends: ReadonlySet<unknown> = new Set(['message_end', 'workflow_finished', 'workflow_paused', 'error'])
/** What a step of a workflow held is of no use for the answer, and may be long. */
const isRetained = ({ event }: JsonObject): boolean => !/^(?:ping|node_|iteration_|loop_|tts_)/.test(String(event))

/** The events of a stream in a list. A stream that was cut off leaves nothing; what is not a stream stays as it is. */
function collect(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(body)
  if (text.trimStart().startsWith('{')) return body
  const events = [...text.matchAll(/^data: ?(\{.*\})\r?$/gm)]
    .flatMap(([, data = '']) => eventIn(data))
    .filter(isRetained)
  const isWhole = events.some(({ event }) => ends.has(event))
  return new TextEncoder().encode(isWhole ? JSON.stringify({ events }) : '')
}

function eventIn(data: string): JsonObject[] {
  try {
    const event: unknown = parseAnswer(data)
    return isObject(event) ? [event] : []
  } catch {
    return []
  }
}

/** https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message */
const errorStatuses = {
  unauthorized: 401,
  invalid_param: 400,
  app_unavailable: 400,
  not_chat_app: 400,
  not_workflow_app: 400,
  provider_not_initialize: 503,
  provider_quota_exceeded: 429,
  human_input_required: 400,
  model_currently_not_support: 503,
  completion_request_error: 502,
  rate_limit_error: 429,
  too_many_requests: 429,
  workflow_failed: 502,
  internal_server_error: 500,
} as const

/** Applications of Dify, in the cloud or of one's own. Agents only stream, so every answer is a stream. */
export const dify = defineProvider({
  type: 37,
  id: 'dify',
  name: { en: 'Dify', zh: 'Dify' },
  baseUrl: 'https://api.dify.ai',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('app-…'),
  modes: {
    chat: { dialect: 'dify-chat', url, acceptsStreamOptions: false, shape, collect, errorStatuses },
  },
  fields: [
    {
      name: 'other',
      kind: 'select',
      label: { en: 'Application', zh: '应用类型' },
      hint: {
        en: 'A model whose name ends in -chat, -agent, -completion or -workflow says it itself',
        zh: '模型名以 -chat、-agent、-completion 或 -workflow 结尾时，以模型名为准',
      },
      default: 'chat',
      options: [
        { value: 'chat', label: { en: 'Chat, agent or chatflow', zh: '聊天助手、Agent 或 Chatflow' } },
        { value: 'completion', label: { en: 'Text generator', zh: '文本生成应用' } },
        { value: 'workflow', label: { en: 'Workflow', zh: '工作流' } },
      ],
    },
    baseUrlField('https://api.dify.ai', {
      label: { en: 'Address of a private installation', zh: '私有部署地址' },
      hint: { en: 'Empty: the public service', zh: '留空则使用官方服务' },
      required: false,
    }),
  ],
  models: ['dify', 'dify-agent', 'dify-completion', 'dify-workflow'],
})
