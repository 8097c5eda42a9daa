import type { Context } from '../src/context'
import { sendMails } from '../src/messaging/mail/send-mails'
import { aMailServer, sendMailsBy, type ReceivedMail } from './mail-server'

/** A site's mail server, and what it received. */
export interface PostOffice extends AsyncDisposable {
  /** Sends what is queued. Resolves with the last mail to an address; throws without one. */
  lastTo(address: string): Promise<ReceivedMail>
  /** Resolves with the code in it. */
  codeFor(address: string): Promise<string>
  /** Resolves with the token of the link in it. */
  tokenFor(address: string): Promise<string>
  /** Sends what is queued. Resolves with the subjects of all mails to an address. */
  subjectsTo(address: string): Promise<string[]>
}

export async function aPostOffice(ctx: Context): Promise<PostOffice> {
  const server = await aMailServer()
  await sendMailsBy(ctx, server)
  const { signal } = new AbortController()
  const mailsTo = async (address: string) => {
    await sendMails(ctx, signal)
    return server.received.filter(({ to }) => to.includes(address))
  }
  const lastTo = async (address: string) => {
    const mail = (await mailsTo(address)).at(-1)
    if (!mail) throw new Error(`No mail to ${address}`)
    return mail
  }
  const findInMail = async (address: string, pattern: RegExp) => pattern.exec((await lastTo(address)).text)?.[1] ?? ''
  return {
    lastTo,
    codeFor: (address) => findInMail(address, /^ +(\d{6})$/m),
    tokenFor: (address) => findInMail(address, /&token=([\w-]+)/),
    subjectsTo: async (address) => (await mailsTo(address)).map(({ subject }) => subject),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
