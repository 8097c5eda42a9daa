import type { OptionValues } from '@tollgate/contract'

import type { Message } from './compose'
import { MailFailure } from './mail-failure'

type MailOptions = Pick<
  OptionValues,
  'SMTPServer' | 'SMTPPort' | 'SMTPAccount' | 'SMTPFrom' | 'SMTPToken' | 'SMTPSSLEnabled' | 'SystemName'
>

/** Returns whether a mail server is configured. */
export const isMailSetUp = (options: Pick<OptionValues, 'SMTPServer'>): boolean => options.SMTPServer.trim() !== ''

/** A connection to the mail server, opened with the first mail. */
export interface Mailer extends Disposable {
  /** Hands a message to the mail server. @throws MailFailure */
  send(message: Message): Promise<void>
}

const connectMs = 10_000
const responseTimeoutMs = 20_000
const implicitTlsPort = 465

/** Returns the connection settings of the server. */
export function connectionOf(options: MailOptions) {
  const host = options.SMTPServer.trim()
  const user = options.SMTPAccount.trim()
  const isOwnMachine = /^(localhost|127\.[\d.]+|::1)$/i.test(host)
  return {
    host,
    port: options.SMTPPort,
    secure: options.SMTPSSLEnabled || options.SMTPPort === implicitTlsPort,
    // A password is sent over a network only encrypted, to a server with a valid certificate.
    requireTLS: user !== '' && !isOwnMachine,
    tls: { rejectUnauthorized: !isOwnMachine },
    ...(user !== '' && { auth: { user, pass: options.SMTPToken } }),
  }
}

/** Loads the SMTP library, which a gateway that sends no mail never needs. */
export async function openMailer(options: MailOptions): Promise<Mailer> {
  const { createTransport } = await import('nodemailer')
  const connection = connectionOf(options)
  const transport = createTransport({
    ...connection,
    pool: true,
    maxConnections: 4,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: responseTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const from = { name: oneLine(options.SystemName), address: options.SMTPFrom.trim() || options.SMTPAccount.trim() }
  return {
    async send({ to, id, subject, text, html }) {
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          messageId: `<${id}@${domainOf(from.address)}>`,
          subject: oneLine(subject),
          text,
          html,
          // Suppresses automatic replies.
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        })
      } catch (error) {
        throw MailFailure.of(error, connection)
      }
    },
    [Symbol.dispose]: () => transport.close(),
  }
}

/** A header is one line, whatever names an operator or a user chose. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim()

const domainOf = (address: string): string =>
  address
    .split('@')
    .at(-1)
    ?.replace(/[^\w.-]/g, '') || 'localhost'
