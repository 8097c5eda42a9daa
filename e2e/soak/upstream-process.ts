import { join } from 'node:path'

import type { FileState } from './named-file'

/** One request as the upstream counted it. */
export interface ServedRequest {
  /** Name of the call, from the text of its prompt. */
  readonly name: string
  readonly model: string
  readonly status: number
  /** Usage of the whole response, however much of it was read. */
  readonly promptTokens: number
  readonly completionTokens: number
  /** False: an error. */
  readonly isResponse: boolean
  /** An error that follows the count of the prompt: until it comes, the response has started. */
  readonly hasStarted: boolean
  /** It reported an impossible usage. */
  readonly isMisreported: boolean
  readonly file: FileState
  readonly outcome: string
}

export interface Upstream {
  readonly url: string
  /** For channels of sessions. */
  readonly realtimeUrl: string
  /** For channels of songs. */
  readonly songsUrl: string
  /** For channels whose vendors have batches. */
  readonly batchUrls: Readonly<Record<'openAi' | 'anthropic' | 'mistral' | 'gemini', string>>
  /** Requests served since the last query, once none is open. */
  takeServed(): Promise<readonly ServedRequest[]>
  stop(): Promise<void>
}

type Addresses = Pick<Upstream, 'url' | 'realtimeUrl' | 'songsUrl' | 'batchUrls'>

type Message =
  | ({ readonly kind: 'listening' } & Addresses)
  | { readonly kind: 'served'; readonly served: readonly ServedRequest[] }

const timeoutMs = 20_000

export async function startUpstream(): Promise<Upstream> {
  const listening = Promise.withResolvers<Addresses>()
  let response = Promise.withResolvers<readonly ServedRequest[]>()
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'upstream.ts')], {
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    serialization: 'json',
    ipc(message: Message) {
      if (message.kind === 'listening') listening.resolve(message)
      else response.resolve(message.served)
    },
    onExit: (_, code) => listening.reject(new Error(`The upstream ended with ${code}`)),
  })
  return {
    ...(await listening.promise),
    async takeServed() {
      response = Promise.withResolvers()
      const timer = setTimeout(() => response.reject(new Error('The upstream still has open requests')), timeoutMs)
      child.send({ kind: 'served?' })
      try {
        return await response.promise
      } finally {
        clearTimeout(timer)
      }
    },
    async stop() {
      child.kill()
      await child.exited
    },
  }
}
