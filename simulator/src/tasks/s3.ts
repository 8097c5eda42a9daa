import { createHash } from 'node:crypto'

import { listen } from '../http/server'
import type { WireRequest } from '../http/request-reader'
import { signatureFault, type SignatureFault, type SignedRequest, type SigningKey } from './s3-signature'

/** What the stand-in does instead of what it is asked for. `hang`: nothing. `truncate`: it breaks off in the middle of an object. */
export type S3Fault = 'refuse' | 'fail' | 'hang' | 'truncate'

export interface S3Object {
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A stand-in for an S3-compatible storage with one bucket, on a port of its own. It checks every signature. */
export interface S3StandIn extends AsyncDisposable {
  readonly url: string
  readonly bucket: string
  readonly key: SigningKey
  readonly objects: Map<string, S3Object>
  /** Method and path of every request, with the host that it was for. */
  readonly requests: readonly { readonly call: string; readonly host: string; readonly range: string | null }[]
  /** For calls of this method, or all, until it is null again. */
  fault: { readonly kind: S3Fault; readonly method?: string } | null
  /** The most keys of one list. */
  listed: number
}

/** Milliseconds. */
type Now = () => number

/** Starts one. Protocol: https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html */
export async function startS3(now: Now = Date.now): Promise<S3StandIn> {
  const key = { keyId: 'AKIAEXAMPLE', secret: 'example/secret+of=the/stand-in', region: 'xx-test-1' }
  const requests: { call: string; host: string; range: string | null }[] = []
  const serve = ({ method, target, headers, body }: WireRequest, host: string): Response | null => {
    const { pathname, searchParams } = new URL(target, s3.url)
    requests.push({ call: `${method} ${pathname}`, host, range: headers['range'] ?? null })
    const fault = s3.fault?.method === undefined || s3.fault.method === method ? s3.fault?.kind : undefined
    if (fault === 'hang') return null
    if (fault === 'refuse') return refuse(403, 'AccessDenied', 'Access Denied')
    if (fault === 'fail') return refuse(500, 'InternalError', 'We encountered an internal error. Please try again.')
    const request = { method, url: `http://${host}${target}`, headers: new Headers(headers) }
    const bytes = new Uint8Array(body)
    const wrong = signatureFault(request, key, now()) ?? bodyFault(request, bytes)
    if (wrong) return refuse(wrong.status ?? 403, wrong.code, wrong.message)
    const [name, object] = nameIn(host, pathname)
    if (name !== s3.bucket) return refuse(404, 'NoSuchBucket', 'The specified bucket does not exist')
    return object === '' ? list(s3, searchParams) : serveObject(s3, { request, object, bytes })
  }
  const server = listen({ hostname: '127.0.0.1', port: 0 }, async (exchange) => {
    const response = serve(exchange.request, exchange.request.headers['host'] ?? '')
    if (!response) return exchange.onGone(() => exchange.close())
    const bytes = Buffer.from(await response.arrayBuffer())
    const breaksOff = s3.fault?.kind === 'truncate' && bytes.length > 0
    await exchange.write(Buffer.concat([headOf(response, bytes.length), breaksOff ? bytes.subarray(0, 1) : bytes]))
    if (breaksOff) exchange.close()
    else exchange.end()
  })
  const s3: S3StandIn = {
    url: `http://127.0.0.1:${server.port}`,
    bucket: 'test-bucket',
    key,
    objects: new Map(),
    requests,
    fault: null,
    listed: 1000,
    [Symbol.asyncDispose]: () => server.stop(),
  }
  return s3
}

/** Returns the bucket and the key that a request is for: the bucket is the first part of the host or of the path. */
function nameIn(host: string, pathname: string): readonly [bucket: string, key: string] {
  const path = decodeURIComponent(pathname).slice(1)
  const first = /^([a-z][a-z0-9-]*)\./.exec(host)?.[1]
  if (first !== undefined) return [first, path]
  const [bucket = '', ...rest] = path.split('/')
  return [bucket, rest.join('/')]
}

function bodyFault({ method, headers }: SignedRequest, bytes: Uint8Array): SignatureFault | null {
  const reported = headers.get('x-amz-content-sha256')
  if (reported === null)
    return { status: 400, code: 'InvalidRequest', message: 'Missing required header: x-amz-content-sha256' }
  if (method === 'PUT' && headers.get('content-length') === null)
    return { status: 411, code: 'MissingContentLength', message: 'You must provide the Content-Length HTTP header' }
  if (reported === 'UNSIGNED-PAYLOAD' || reported === createHash('sha256').update(bytes).digest('hex')) return null
  return { status: 400, code: 'XAmzContentSHA256Mismatch', message: 'The hash does not match what was computed' }
}

interface ObjectCall {
  readonly request: SignedRequest
  readonly object: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

function serveObject({ objects }: S3StandIn, { request, object, bytes }: ObjectCall): Response {
  const { method, headers } = request
  if (method === 'PUT') {
    objects.set(object, { contentType: headers.get('content-type') ?? 'binary/octet-stream', bytes })
    return new Response(null, { headers: { etag: `"${createHash('md5').update(bytes).digest('hex')}"` } })
  }
  if (method === 'DELETE') {
    objects.delete(object)
    return new Response(null, { status: 204 })
  }
  const found = objects.get(object)
  if (!found) return refuse(404, 'NoSuchKey', 'The specified key does not exist')
  return partOf(found, headers.get('range'))
}

function partOf({ bytes, contentType }: S3Object, range: string | null): Response {
  const shared = { 'content-type': contentType, 'accept-ranges': 'bytes' }
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  if (from === undefined) return new Response(bytes, { headers: shared })
  const start = Number(from)
  const end = to ? Math.min(Number(to), bytes.length - 1) : bytes.length - 1
  if (start > end) return refuse(416, 'InvalidRange', 'The requested range is not satisfiable')
  const headers = { ...shared, 'content-range': `bytes ${start}-${end}/${bytes.length}` }
  return new Response(bytes.slice(start, end + 1), { status: 206, headers })
}

function headOf({ status, headers }: Response, length: number): Buffer {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const size = status === 204 ? '' : `content-length: ${length}\r\n`
  return Buffer.from(`HTTP/1.1 ${status} S3\r\n${lines}${size}\r\n`)
}

function list({ objects, listed }: S3StandIn, query: URLSearchParams): Response {
  const after = query.get('start-after') ?? ''
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  const shown = keys.slice(0, listed).map((key) => `<Contents><Key>${escapeXml(key)}</Key><Size>1</Size></Contents>`)
  const isTruncated = keys.length > listed
  return xml(200, `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${shown.join('')}</ListBucketResult>`)
}

const escapeXml = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

const refuse = (status: number, code: string, message: string): Response =>
  xml(status, `<Error><Code>${code}</Code><Message>${message}</Message><RequestId>1</RequestId></Error>`)

const xml = (status: number, text: string): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })
