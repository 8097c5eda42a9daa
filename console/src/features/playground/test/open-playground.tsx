import { screen } from '@testing-library/react'
import type { logRoutes } from '@tollgate/contract'

import { aRow } from '../../../../test/pricing-factory'
import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { PlaygroundPage } from '../playground-page'
import { PlaygroundSearch } from '../playground-search'

const call = 'POST /pg/chat/completions'

/** A streamed response whose chunks the test sends one by one. */
export function aStream() {
  const bytes = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (streamController) => (controller = streamController),
    cancel() {
      isCancelled = true
    },
  })
  const send = (data: string) => controller?.enqueue(bytes.encode(`data: ${data}\n\n`))
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream', 'X-Request-Id': 'req-stream' } }),
    say: (delta: string | object) =>
      send(JSON.stringify({ choices: [{ delta: typeof delta === 'string' ? { content: delta } : delta }] })),
    frame: (value: unknown) => send(JSON.stringify(value)),
    end() {
      send('[DONE]')
      controller?.close()
    },
    isCancelled: () => isCancelled,
  }
}

/** A complete response. */
export function chatResponse(text: string, more: readonly object[] = []): Response {
  const stream = aStream()
  stream.say(text)
  for (const frame of more) stream.frame(frame)
  stream.end()
  return stream.response
}

export const usage = { choices: [], usage: { prompt_tokens: 1000, completion_tokens: 500 } }

const kites = ['kite-1', 'kite-2', 'kite-3']
let nextUser = 100

interface OpenOptions {
  readonly address?: string
  readonly models?: readonly string[]
  /** Responses to the calls in order; the last one repeats. */
  readonly answers?: readonly (() => Response)[]
  /** Log rows returned for every query. */
  readonly logged?: readonly logRoutes.OwnLogEntity[]
  readonly user?: Parameters<typeof renderConsole>[1] extends infer Options
    ? Options extends { readonly user?: infer User }
      ? User
      : never
    : never
}

/** Opens the page as a new user; the test responds to calls. */
export async function openPlayground({
  address = '/playground',
  models = kites,
  answers = [],
  logged = [],
  user,
}: OpenOptions = {}) {
  let answerCount = 0
  const calls = serve({
    'GET /api/user/models': () => models,
    'GET /api/user/self/groups': () => ({
      default: { desc: 'For everybody', ratio: 1 },
      fast: { desc: 'For those in a hurry', ratio: 4 },
    }),
    'GET /api/pricing': () =>
      Response.json({
        success: true,
        message: '',
        data: [
          aRow({ model_name: 'kite-1', model_ratio: 2.5, completion_ratio: 4, enable_groups: ['default', 'fast'] }),
          aRow({ model_name: 'kite-3', enable_groups: ['fast'] }),
        ],
        group_ratio: { default: 1, fast: 4 },
        usable_group: {},
        vendors: {},
      }),
    'GET /api/log/self': () => ({ items: logged, page: 1, page_size: 10, total: logged.length }),
    [call]: () => {
      const answer = answers[Math.min(answerCount, answers.length - 1)]
      answerCount += 1
      return answer?.() ?? chatResponse('Well.')
    },
  })
  const view = await renderConsole(<PlaygroundPage />, {
    address,
    path: '/playground',
    validateSearch: (search) => PlaygroundSearch.parse(search),
    user: { id: (nextUser += 1), ...user },
  })
  const getRequestBodies = () => calls.filter(({ path }) => path === '/pg/chat/completions').map(({ body }) => body)
  const box = () => screen.findByRole('textbox', { name: 'Message' }, { timeout: 5_000 })
  const sendMessage = async (text: string) => view.user.type(await box(), `${text}{Enter}`)
  return { ...view, calls, getRequestBodies, box, sendMessage }
}
