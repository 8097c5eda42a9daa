import { whole } from '../answer'
import type { Dialect } from '../dialect'
import { objectOr } from '../json'
import { chat } from './chat'
import { embed } from './embed'
import { rerank } from './rerank'

/** Cohere's API. What it shares a path with others for, it answers under `/cohere` or for models of that vendor. */
export const cohere: Dialect = {
  wire: {
    errorBody: (_status, { message }) => ({ message }),
    errorEvent: (_status, { message }) => ({
      name: 'message-end',
      data: JSON.stringify({ type: 'message-end', delta: { finish_reason: 'ERROR', error: message } }),
    }),
  },
  serves({ method, path, model }) {
    if (method === 'GET') return path.includes('/cohere/') && path.endsWith('/models')
    if (path.endsWith('/v1/rerank')) return path.includes('/cohere/') || model.startsWith('rerank-')
    return /\/v2\/(?:chat|embed|rerank)$/.test(path)
  },
  answer({ method, path, json, number }, behaviour, account) {
    const body = objectOr(json)
    if (method === 'GET') return whole({ models: account.models.map((name) => ({ name, endpoints: ['chat'] })) })
    if (path.endsWith('/chat')) return chat(body, behaviour, number)
    if (path.endsWith('/embed')) return embed(body, behaviour, number)
    return rerank(body, behaviour, number, path.endsWith('/v1/rerank') ? '1' : '2')
  },
}
