import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { compose, type MailContent } from './compose'
import { MailFailure } from './mail-failure'
import { isMailSetUp, openMailer } from './smtp'
import { randomHex } from '../../platform/random'

/**
 * Sends a mail immediately, bypassing the queue, so that an operator who sets mail up sees at once what is wrong.
 * @throws AppError `smtp.unset`, `mail.failed`.
 */
export async function sendTestMail(
  { catalog, random }: Pick<Context, 'catalog' | 'random'>,
  {
    to,
    language,
    content = { words: 'test' },
  }: { readonly to: string; readonly language: 'zh' | 'en'; readonly content?: MailContent },
): Promise<void> {
  const { options } = catalog.current
  if (!isMailSetUp(options)) throw new AppError('smtp.unset')
  const id = randomHex(random, 16)
  using mailer = await openMailer(options)
  try {
    await mailer.send(compose(content, { id, to, language, site: options }))
  } catch (error) {
    if (error instanceof MailFailure)
      throw new AppError('mail.failed', { params: { reason: error.reason }, cause: error })
    throw error
  }
}
