import type { Context } from '../../context'
import type { SealedPlace } from '../../platform/store/seal'

const placeOf = (userId: number): SealedPlace => `users.webhook_secret_sealed#${userId}`

export const sealedWebhookSecret = ({ seal }: Pick<Context, 'seal'>, userId: number, secret: string): string =>
  seal.seal(secret, placeOf(userId))

/** Returns the secret that signs the user's webhooks; null: none. */
export const webhookSecret = ({ seal }: Pick<Context, 'seal'>, userId: number, sealed: string): string | null =>
  sealed === '' ? null : seal.open(sealed, placeOf(userId))
