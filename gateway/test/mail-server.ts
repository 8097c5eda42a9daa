import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

import type { Context } from '../src/context'
import { setOptionsIn } from './options'

/** A mail as the server received it. */
export interface ReceivedMail {
  /** The envelope's sender: where it really came from. */
  readonly from: string
  readonly to: readonly string[]
  readonly headers: ReadonlyMap<string, string>
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The connection was encrypted. */
  readonly isSecure: boolean
}

/** A real SMTP server on this machine. */
export interface MailServer extends AsyncDisposable {
  readonly port: number
  readonly received: readonly ReceivedMail[]
}

/** `response` refuses a message before it is accepted, like `onData` of a server: `{ responseCode: 451 }`. */
export interface MailServerOptions extends Pick<
  SMTPServerOptions,
  'secure' | 'onAuth' | 'onRcptTo' | 'hideSTARTTLS' | 'authOptional'
> {
  readonly response?: () => { readonly responseCode: number; readonly message: string } | null
}

export async function aMailServer({ response = () => null, ...options }: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    // It warns about its own certificate.
    logger: false,
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        const refusal = response()
        if (refusal) return done(Object.assign(new Error(refusal.message), { responseCode: refusal.responseCode }))
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isSecure: session.secure,
          ...readMessage(Buffer.concat(chunks).toString('latin1')),
        })
        done()
      })
    },
  })
  // A client that leaves does not fail a test.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Makes a site send its mails by this server. */
export const sendMailsBy = (ctx: Context, { port }: MailServer, further: Record<string, string> = {}) =>
  setOptionsIn(ctx, {
    SMTPServer: '127.0.0.1',
    SMTPPort: String(port),
    SMTPFrom: 'gate@example.com',
    ServerAddress: 'https://gate.example.com',
    ...further,
  })

function readMessage(raw: string): Pick<ReceivedMail, 'headers' | 'subject' | 'text' | 'html'> {
  const { headers, body } = partOf(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? ''
  const parts = body.split(`--${boundary}`).slice(1, -1).map(partOf)
  const content = (type: string) => decodePart(parts.find((part) => part.headers.get('content-type')?.startsWith(type)))
  return {
    headers,
    subject: decodedWords(headers.get('subject') ?? ''),
    text: content('text/plain').replaceAll('\r\n', '\n'),
    html: content('text/html'),
  }
}

interface Part {
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

function partOf(raw: string): Part {
  const text = raw.replace(/^\r\n/, '')
  const end = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map(
    (line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const,
  )
  return { headers: new Map(headers), body: text.slice(end + 4) }
}

function decodePart(part: Part | undefined): string {
  if (!part) return ''
  const encoding = part.headers.get('content-transfer-encoding')
  if (encoding === 'base64') return Buffer.from(part.body, 'base64').toString('utf8')
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(part.body.replace(/=\r\n/g, '')) : part.body
}

const decodeQuotedPrintable = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

/** https://www.rfc-editor.org/rfc/rfc2047 */
const decodedWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, words: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(words, 'base64').toString('utf8')
        : decodeQuotedPrintable(words.replaceAll('_', ' ')),
    )
