import { createHmac, timingSafeEqual } from 'node:crypto'

/** Why a webhook is rejected. */
export type SignatureFault = 'no-secret' | 'malformed' | 'expired' | 'mismatch'

interface SignedWebhook {
  /** The `Stripe-Signature` header; empty: there was none. */
  readonly header: string
  /** Exactly as received: a body that was parsed and serialized again has another signature. */
  readonly body: string | Uint8Array
  /** Empty: all signatures are rejected. */
  readonly secret: string
  readonly nowSeconds: number
}

const toleranceSeconds = 300
/** Stripe sends one signature per valid secret, which is two while a secret is rolled. */
const maxSignatures = 16

/**
 * Returns why a webhook was not signed by Stripe with this secret in the last five minutes; null: it was.
 * https://docs.stripe.com/webhooks#verify-manually
 */
export function signatureFault({ header, body, secret, nowSeconds }: SignedWebhook): SignatureFault | null {
  if (secret === '') return 'no-secret'
  const signed = readHeader(header)
  if (!signed) return 'malformed'
  const expected = createHmac('sha256', secret).update(`${signed.timestamp}.`).update(body).digest()
  let isSigned = false
  // All of them are compared, so that the time does not reveal which one was right.
  for (const signature of signed.signatures) isSigned = timingSafeEqual(signature, expected) || isSigned
  if (!isSigned) return 'mismatch'
  return Math.abs(nowSeconds - Number(signed.timestamp)) > toleranceSeconds ? 'expired' : null
}

/** Returns the timestamp and the signatures of the scheme `v1`; null for a header that Stripe does not send. */
function readHeader(header: string): { readonly timestamp: string; readonly signatures: readonly Buffer[] } | null {
  const entries = header.split(',').map((entry) => entry.trim().split('='))
  const valuesOf = (scheme: string) => entries.flatMap(([name, value = '']) => (name === scheme ? [value] : []))
  const [timestamp = '', ...others] = valuesOf('t')
  const signatures = valuesOf('v1').filter((value) => /^[\da-f]{64}$/.test(value))
  if (!/^\d{1,12}$/.test(timestamp) || others.length > 0) return null
  if (signatures.length === 0 || signatures.length > maxSignatures) return null
  return { timestamp, signatures: signatures.map((value) => Buffer.from(value, 'hex')) }
}
