import { cutOff } from '../http/cut-off'
import { BatchBook, type StandInCall, type StandInResult } from './batch-book'
import { batchBucket, BedrockBatches } from './bedrock-batches'
import { GeminiBatches } from './gemini-batches'
import { MessageBatches } from './message-batches'
import { MistralBatches } from './mistral-batches'
import { OpenAiBatches } from './openai-batches'

const protocols = {
  openai: OpenAiBatches,
  anthropic: MessageBatches,
  mistral: MistralBatches,
  gemini: GeminiBatches,
  bedrock: BedrockBatches,
} as const

/** Requests about files and batches. */
const paths = [
  /^\/v1\/(?:files|batches|batch\/jobs|messages\/batches)(?:\/|$)/,
  /^(?:\/upload|\/download)?\/v1beta\/(?:files|batches)/,
  /:batchGenerateContent$/,
  /^\/model-invocation-jobs?(?:\/|$)/,
  new RegExp(`^/${batchBucket}/`),
]

/** A stand-in for a vendor with batches, in front of one that answers single calls, by which it makes those of its batches. */
export interface BatchVendor extends AsyncDisposable {
  readonly url: string
  readonly batchBook: BatchBook
  /** Empty where the vendor has none. */
  readonly files: ReadonlyMap<string, { readonly text: string }>
  /** Every request about files and batches, as `POST /v1/batches`. */
  readonly requests: readonly string[]
  /** Submissions (files, batches) that are accepted though their responses are lost; counted down. */
  cuts: number
  /** The same of each n-th submission; 0: of none. */
  cutEvery: number
  /** Every request about files and batches is answered with this status until it is null again. */
  broken: number | null
}

export interface BatchVendorOptions {
  /** Whose forms it has. */
  readonly kind: keyof typeof protocols
  /** The address that single calls go to. */
  readonly inner: string
}

/** Starts one on a port of its own. */
export async function startBatchVendor({ kind, inner }: BatchVendorOptions): Promise<BatchVendor> {
  let headers: Record<string, string> = {}
  let submissions = 0
  const batchBook = new BatchBook((call) => makeCall(inner, call, headers))
  const protocol = new protocols[kind](batchBook)
  const requests: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    development: false,
    maxRequestBodySize: 300_000_000,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const isOfBatches = paths.some((path) => path.test(pathname))
      if (!isOfBatches) return fetch(`${inner}${pathname}${search}`, passedOn(request))
      requests.push(`${request.method} ${pathname}`)
      headers = credentialsOf(request)
      if (vendor.broken !== null)
        return Response.json({ error: { message: 'out of order', type: 'api_error' } }, { status: vendor.broken })
      const reply = await protocol.reply(request, pathname)
      if (!reply) return Response.json({ error: { message: 'No such call' } }, { status: 404 })
      if (reply.kind !== 'submission') return reply.response
      submissions += 1
      const isCut = vendor.cuts > 0 || (vendor.cutEvery > 0 && submissions % vendor.cutEvery === 0)
      vendor.cuts = Math.max(0, vendor.cuts - 1)
      return isCut ? cutOff() : reply.response
    },
  })
  const vendor: BatchVendor = {
    url: String(server.url).replace(/\/$/, ''),
    batchBook,
    files: protocol.files,
    requests,
    cuts: 0,
    cutEvery: 0,
    broken: null,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
  return vendor
}

async function makeCall(inner: string, { path, body }: StandInCall, headers: object): Promise<StandInResult> {
  const response = await fetch(`${inner}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

const credentialsOf = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(
    ['authorization', 'x-api-key', 'x-goog-api-key', 'anthropic-version'].flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )

function passedOn(request: Request): RequestInit {
  const headers = new Headers(request.headers)
  headers.set('accept-encoding', 'identity')
  return { method: request.method, headers, body: request.body, redirect: 'manual' }
}
