import type { OptionValues, paymentRoutes } from '@tollgate/contract'

import type { Context } from '../context'
import type { OrderRow } from '../store/tables'

/** What a provider may use of the gateway. */
export type PaymentParts = Pick<Context, 'catalog' | 'clock' | 'config' | 'database' | 'fetch' | 'outbound' | 'log'>

/** One way to pay, as a provider offers it. `min_topup` in dollars. */
export type PaymentMethod = Omit<paymentRoutes.PaymentMethod, 'provider'>

/** Where to send the payer. */
export interface PaymentStart {
  /** The browser posts a form with `fields` to it; without fields it goes there by its location. */
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
  /** The provider's number of the order, where it has one already. */
  readonly providerNumber?: string
}

/** A request as it arrived. Signatures are of exactly these bytes. */
export interface CallbackRequest {
  readonly method: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: Uint8Array
}

/** What a provider reports of an order, verified. */
export interface PaymentEvent {
  /** Unique for the provider: the same event again has the same. */
  readonly id: string
  readonly orderNumber: string
  /**
   * `under-way`: the payer has done what there was to do, and the money may come for days; `paid`, `failed`, `expired`; `refunded`: `minor`
   * is everything refunded so far, also what failed later; `dispute-…`: `minor` is what is disputed.
   */
  readonly kind:
    | 'under-way'
    | 'paid'
    | 'failed'
    | 'expired'
    | 'refunded'
    | 'dispute-opened'
    | 'dispute-won'
    | 'dispute-lost'
  /** As the provider's `merchant` says it. */
  readonly merchant: string
  /** In the smallest unit of the currency. Of `under-way`, `failed` and `expired` not looked at. */
  readonly minor: number
  /** What of `refunded` came back, as it did not reach the payer. */
  readonly failedMinor?: number
  /** ISO 4217, in capitals. */
  readonly currency: string
  /** The provider's number of the order. */
  readonly providerNumber?: string
  /** The provider's number of the payment, where that is another. */
  readonly paymentNumber?: string
  readonly disputeNumber?: string
}

/**
 * What a callback says. `ignored`: it is the provider's, but about nothing of ours, and must not come again. `unavailable`: it could not
 * be verified now, and may come again.
 */
export type CallbackReading =
  | {
      readonly kind: 'event'
      readonly event: PaymentEvent
      /** For the operator, without signatures. */
      readonly payload: string
      /** The provider said so just now when it was asked, and is not asked again. */
      readonly isAnswer?: true
    }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'refused' | 'unavailable'; readonly reason: string }

/** What the provider says of an order when it is asked. */
export type ProviderAnswer =
  | { readonly kind: 'event'; readonly event: PaymentEvent; readonly payload: string }
  | { readonly kind: 'pending' | 'unsupported' | 'unreachable' }

/** `uncertain`: the money may have gone back. */
export type RefundAnswer =
  | { readonly kind: 'refunded' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unsupported' | 'uncertain' }

/** A refund as the provider is asked for it. */
export interface Refund {
  /** Unique; the same again for a repeated try. */
  readonly number: string
  readonly minor: number
}

/**
 * A payment provider: a folder of `payments`, a line in `providers.ts`. It neither reads nor writes orders; what it reports is compared
 * with the order and settled by `applyEvent`.
 */
export interface PaymentProvider {
  readonly id: string
  /** The account that gets the money; empty while the provider is not set up. */
  merchant(options: OptionValues): string
  /** None while the provider is not set up. */
  methods(options: OptionValues): readonly PaymentMethod[]
  /** A report of a payment counts only once `ask` confirmed it. Else the signature counts while the provider cannot be asked. */
  readonly mustConfirm: boolean
  /** How long an order can be paid. */
  readonly lifetimeSeconds: number
  /** @throws Error when the payment cannot be started. Called again to go on with an order, and then answers the same payment. */
  begin(order: OrderRow, parts: PaymentParts): Promise<PaymentStart>
  /** Verifies a callback. Never throws for what a sender can do. */
  readCallback(request: CallbackRequest, parts: PaymentParts): Promise<CallbackReading>
  /** Asks about an order. What it tells is compared as a callback is. */
  ask(order: OrderRow, parts: PaymentParts): Promise<ProviderAnswer>
  refund(order: OrderRow, refund: Refund, parts: PaymentParts): Promise<RefundAnswer>
}
