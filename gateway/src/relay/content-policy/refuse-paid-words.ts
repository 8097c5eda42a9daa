import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Payer } from '../../billing/ledger/ledger'
import type { IncomingCall } from '../call'
import { forbidsWords, refuseForbiddenWords } from './forbidden-words'

/** The texts of a call. */
interface CallTexts extends Pick<IncomingCall, 'catalog'> {
  readonly texts: readonly string[]
}

/** The least that will be held for it. */
interface Cost {
  readonly payer: Payer
  readonly amount: number
}

/**
 * Refuses texts with forbidden words where the price is held in the database, together with a task: the texts of a caller who cannot pay
 * are not searched.
 * @throws AppError `request.sensitive_words`, `quota.user`, `quota.token`.
 */
export async function refusePaidWords(
  { catalog, texts }: CallTexts,
  { payer: { userId, tokenId, isTokenLimited }, amount }: Cost,
  { ledger }: Pick<Context, 'ledger'>,
): Promise<void> {
  if (!forbidsWords(catalog)) return
  const ofUser = (await ledger.balanceOf([userId])).get(userId) ?? 0
  if (ofUser < amount) throw new AppError('quota.user', { params: { need: amount } })
  if (isTokenLimited) {
    const ofToken = (await ledger.tokenBalanceOf([tokenId])).get(tokenId) ?? 0
    if (ofToken < amount) throw new AppError('quota.token', { params: { balance: ofToken, need: amount } })
  }
  await refuseForbiddenWords(catalog, texts)
}
