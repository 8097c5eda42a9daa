import type { Phrase, PhraseCode } from '@tollgate/contract'

const maxResponseLength = 200

interface Server {
  readonly host: string
  readonly port: number
}

/** The mail server did not accept a message. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'

  constructor(
    /** What is wrong, for the administrator of the mail server. */
    readonly reason: Phrase,
    /** Retrying would not help: the message or its recipient is refused permanently. */
    readonly isFinal: boolean,
    cause: unknown,
  ) {
    super(reason.code, { cause })
  }

  /** Converts what the library throws. */
  static of(error: unknown, { host, port }: Server): MailFailure {
    const { code, status, answer } = factsOf(error)
    const isTls = /certificate|self.signed|TLS|SSL|altnames/i.test(answer) && status === 0
    const reason: PhraseCode = isTls ? 'smtp.tls' : (reasons[code] ?? 'smtp.failed')
    // 5xx is permanent. A problem of the account may be fixed while the message waits.
    const isFinal = status >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
    const params = { server: `${host}:${port}`, answer: answer.slice(0, maxResponseLength) }
    return new MailFailure({ code: reason, params }, isFinal, error)
  }
}

/** https://nodemailer.com/errors */
const reasons: Readonly<Record<string, PhraseCode>> = {
  EAUTH: 'smtp.account',
  ENOAUTH: 'smtp.account',
  EENVELOPE: 'smtp.envelope',
  ETLS: 'smtp.tls',
  ECONNECTION: 'smtp.unreachable',
  ESOCKET: 'smtp.unreachable',
  EDNS: 'smtp.unreachable',
  ETIMEDOUT: 'smtp.timeout',
}

function factsOf(error: unknown) {
  if (!(error instanceof Error)) return { code: '', status: 0, answer: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const status = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : 0
  return { code, status, answer: error.message.replace(/\p{Cc}+/gu, ' ') }
}
