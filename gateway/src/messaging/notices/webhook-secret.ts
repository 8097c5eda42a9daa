import type { Context } from '../../context'
import type { SealContext } from '../../platform/store/seal'

const sealContextOf = (userId: number): SealContext => `users.webhook_secret_sealed#${userId}`

export const sealedWebhookSecret = ({ seal }: Pick<Context, 'seal'>, userId: number, secret: string): string =>
  seal.seal(secret, sealContextOf(userId))

/** Returns the secret that signs the user's webhooks; null: none. */
export const webhookSecret = ({ seal }: Pick<Context, 'seal'>, userId: number, sealed: string): string | null =>
  sealed === '' ? null : seal.open(sealed, sealContextOf(userId))
