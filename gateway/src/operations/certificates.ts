import { once } from 'node:events'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls, type PeerCertificate } from 'node:tls'

import { daySeconds, type OptionValues, type systemRoutes } from '@tollgate/contract'

import type { Config } from '../platform/config/config'
import { messageOf } from '../platform/text/message-of'
import { fail, ok, sentence, warn, type Finding } from './finding'

type Certificate = systemRoutes.Certificate

type MailServer = Pick<OptionValues, 'SMTPServer' | 'SMTPPort' | 'SMTPSSLEnabled'>

/** A server with a certificate, and what is sent to it before TLS begins. */
interface TlsServer {
  readonly of: Certificate['of']
  readonly host: string
  readonly port: number
  /** Returns false where the server does not speak TLS. */
  readonly begin?: (socket: Socket) => Promise<boolean>
}

const timeoutMs = 5000

/** Resolves with the certificates of the servers that the gateway speaks TLS with, whether they can be trusted or not. */
export async function readCertificates(
  config: Pick<Config, 'databaseUrl' | 'redisUrl'>,
  mail: MailServer | null,
): Promise<Certificate[]> {
  const found = await Promise.all(serversOf(config, mail).map(readCertificate))
  return found.filter((certificate) => certificate !== null)
}

function serversOf({ databaseUrl, redisUrl }: Pick<Config, 'databaseUrl' | 'redisUrl'>, mail: MailServer | null) {
  const servers: TlsServer[] = []
  const database = databaseUrl ? new URL(databaseUrl) : null
  const mode = database?.searchParams.get('sslmode') ?? 'disable'
  if (database && mode !== 'disable') {
    servers.push({ of: 'database', host: hostOf(database), port: Number(database.port || 5432), begin: beginPostgres })
  }
  const redis = redisUrl ? new URL(redisUrl) : null
  if (redis?.protocol === 'rediss:')
    servers.push({ of: 'redis', host: hostOf(redis), port: Number(redis.port || 6379) })
  const host = mail?.SMTPServer.trim()
  if (mail && host) {
    const isTlsAtOnce = mail.SMTPSSLEnabled || mail.SMTPPort === 465
    servers.push({ of: 'mail', host, port: mail.SMTPPort, ...(!isTlsAtOnce && { begin: beginSmtp }) })
  }
  return servers
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** Null: the server does not speak TLS. */
async function readCertificate({ of, host, port, begin }: TlsServer): Promise<Certificate | null> {
  const socket = connectPlain({ host, port })
  const isOver = AbortSignal.timeout(timeoutMs)
  const end = () => socket.destroy(new Error('no answer in time'))
  isOver.addEventListener('abort', end)
  // A pending wait for an event receives the failure; later ones change nothing.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal: isOver })
    if (begin && !(await begin(socket))) return null
    // Invalid certificates are shown, too.
    const secure = connectTls({ socket, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) })
    secure.on('error', () => {})
    await once(secure, 'secureConnect', { signal: isOver })
    return { of, host, ...factsOf(secure.getPeerCertificate()), failure: '' }
  } catch (error) {
    const reason = isOver.aborted ? 'no answer in time' : messageOf(error)
    return { of, host, subject: '', issuer: '', ends_at: null, failure: reason }
  } finally {
    isOver.removeEventListener('abort', end)
    socket.destroy()
  }
}

const factsOf = ({ subject, issuer, valid_to: validTo }: PeerCertificate) => ({
  subject: nameIn(subject),
  issuer: nameIn(issuer),
  ends_at: Math.floor(Date.parse(validTo) / 1000),
})

const nameIn = (names: Partial<Record<'CN' | 'O', string | string[]>> | undefined): string =>
  [names?.CN ?? names?.O ?? ''].flat().join(', ')

/** https://www.postgresql.org/docs/current/protocol-message-formats.html#PROTOCOL-MESSAGE-FORMATS-SSLREQUEST */
const sslRequest = Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 47)

async function beginPostgres(socket: Socket): Promise<boolean> {
  socket.write(sslRequest)
  return (await nextText(socket)).startsWith('S')
}

/** RFC 3207. */
async function beginSmtp(socket: Socket): Promise<boolean> {
  await nextText(socket)
  socket.write('EHLO tollgate\r\n')
  if (!/^250[- ]STARTTLS/im.test(await nextText(socket))) return false
  socket.write('STARTTLS\r\n')
  return (await nextText(socket)).startsWith('220')
}

async function nextText(socket: Socket): Promise<string> {
  const [bytes]: unknown[] = await once(socket, 'data', { signal: AbortSignal.timeout(timeoutMs) })
  return String(bytes)
}

const soonDays = 21

/** Returns the doctor's findings on certificates. An unreachable PostgreSQL or Redis is reported by its own check. */
export const certificateFindings = (certificates: readonly Certificate[], nowMs: number): Finding[] =>
  certificates.filter(({ of, ends_at: endsAt }) => endsAt !== null || of === 'mail').map((one) => findingOf(one, nowMs))

const names = {
  database: 'PostgreSQL',
  redis: 'Redis',
  mail: { en: 'the mail server', zh: '邮件服务器' },
} as const

function findingOf({ of, host, ends_at: endsAt, failure }: Certificate, nowMs: number): Finding {
  const subject = 'certificate'
  const place = { server: names[of], host }
  if (endsAt === null)
    return warn(
      subject,
      sentence('certificate.unread', { ...place, reason: failure }),
      sentence('certificate.unread.advice'),
    )
  const days = Math.floor((endsAt - nowMs / 1000) / daySeconds)
  const date = new Date(endsAt * 1000).toISOString().slice(0, 10)
  const advice = sentence('certificate.advice')
  if (days < 0) return fail(subject, sentence('certificate.ended', { ...place, date }), advice)
  const text = sentence('certificate.valid', { ...place, date })
  return days < soonDays ? warn(subject, text, advice) : ok(subject, text)
}
