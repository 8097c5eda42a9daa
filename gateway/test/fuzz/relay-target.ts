import type { DatabaseKind } from '../../src/platform/store/database'
import { createRelayWorld } from '../relay-world'
import { repeatsAtLength, shorten, within, type Finding } from './finding'
import type { ErrorShape, RelayCall } from './relay-calls'

/** A relay in front of a simulated upstream, to be called by hostile clients. */
export interface RelayTarget extends AsyncDisposable {
  /** Resolves with what is wrong with the response; null: nothing. */
  attempt(call: RelayCall): Promise<Finding | null>
  /** Resolves with what is wrong after all calls; null: nothing. */
  audit(): Promise<Finding | null>
}

const maxErrorLength = 2500
const startQuota = 1e12

export async function createRelayTarget(kind: DatabaseKind): Promise<RelayTarget> {
  const world = await createRelayWorld({ kind })
  await world.addChannel({ models: 'dall-e-2,dall-e-3,gpt-image-1,tts-1,sora-2,whisper-1' })
  await world.addChannel({ type: 14, models: 'claude-sonnet-4-5' })
  await world.addChannel({ type: 24, models: 'gemini-2.0-flash' })
  await world.addChannel({ type: 38, models: 'jina-reranker-v2-base-multilingual' })
  await world.addChannel({ type: 42, models: 'mistral-ocr-latest' })
  const { userId, key } = await world.addPayer(startQuota)
  return {
    async attempt({ path, headers, body, bodyText, shape }) {
      const describeFault = (fault: string, text: string): Finding => ({
        kind: `${path}: ${fault}`,
        details: `${JSON.stringify(headers)} ${shorten(bodyText)}\n  -> ${shorten(text)}`,
      })
      try {
        const response = await within(
          fetch(world.url + path, { method: 'POST', headers: { ...headers, authorization: `Bearer ${key}` }, body }),
        )
        const text = await within(response.text())
        world.simulator.reset()
        world.forgetHealth()
        const fault = faultOf(response.status, text, shape, `${path} ${bodyText}`)
        return fault === null ? null : describeFault(`status ${response.status}, ${fault}`, text)
      } catch (error) {
        return describeFault(`throws ${String(error).slice(0, 200)}`, '')
      }
    },
    async audit() {
      const { query } = world.ctx.database
      const balance = await world.balanceOf(userId)
      const charged = await query
        .selectFrom('logs')
        .select((rows) => rows.fn.sum<number | string>('quota').as('quota'))
        .where('user_id', '=', userId)
        .where('type', '=', 2)
        .executeTakeFirst()
      const spent = Number(charged?.quota ?? 0)
      return startQuota - balance === spent
        ? null
        : { kind: 'the balance and the log disagree', details: `${startQuota - balance} and ${spent}` }
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

function faultOf(status: number, text: string, shape: ErrorShape, sent: string): string | null {
  if (status < 400) return null
  if (status === 500) return 'which says nothing'
  const error = parseObject(text)
  if (!error) return 'not an object'
  const message = messageIn(error, shape)
  if (message === null) return `not an error of ${shape}`
  if (message === '') return 'without a message'
  if (text.length > maxErrorLength) return `with ${text.length} characters`
  return repeatsAtLength(text, sent) ? 'which repeats its input' : null
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? Object(value) : null
  } catch {
    return null
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object(value) : {}

function messageIn(body: Record<string, unknown>, shape: ErrorShape): string | null {
  const error = membersOf(body['error'])
  if (shape === 'ollama') return textOf(body['error'])
  if (shape === 'cohere') return textOf(body['message'])
  if (shape === 'anthropic')
    return body['type'] === 'error' && textOf(error['type']) !== null ? textOf(error['message']) : null
  if (shape === 'gemini')
    return typeof error['code'] === 'number' && textOf(error['status']) !== null ? textOf(error['message']) : null
  return textOf(error['type']) === null ? null : textOf(error['message'])
}
