import type { OptionValues, paymentRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { OrderRow } from '../../platform/store/tables'

/** What a provider may use of the gateway. */
export type PaymentDeps = Pick<Context, 'catalog' | 'clock' | 'config' | 'database' | 'fetch' | 'outbound' | 'log'>

/** One payment method, as a provider offers it. `min_topup` in dollars. */
export type PaymentMethod = Omit<paymentRoutes.PaymentMethod, 'provider'>

/** Where to send the payer. */
export interface PaymentStart {
  /** The browser posts a form with `fields` to it; without fields it navigates there. */
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
  /** The provider's number for the order, where it has one already. */
  readonly providerNumber?: string
}

/** A request as it arrived. Signatures cover exactly these bytes. */
export interface CallbackRequest {
  readonly method: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: Uint8Array
}

/** What a provider reports about an order, verified. */
export interface PaymentEvent {
  /** Unique for the provider: a repeated event has the same id. */
  readonly id: string
  readonly orderNumber: string
  /**
   * `under-way`: the payer is done, and the money may take days; `paid`, `failed`, `expired`; `refunded`: `minor` is everything refunded
   * so far, including what failed later; `dispute-…`: `minor` is what is disputed.
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
  /** Corresponds to the provider's `merchant`. */
  readonly merchant: string
  /** In the smallest unit of the currency. Ignored for `under-way`, `failed` and `expired`. */
  readonly minor: number
  /** The part of `refunded` that came back, as it did not reach the payer. */
  readonly failedMinor?: number
  /** ISO 4217, in capitals. */
  readonly currency: string
  /** The provider's number for the order. */
  readonly providerNumber?: string
  /** The provider's number for the payment, where that is another. */
  readonly paymentNumber?: string
  readonly disputeNumber?: string
}

/**
 * The result of a callback. `ignored`: it is the provider's, but does not concern us, and must not be repeated. `unavailable`: it could
 * not be verified now, and may be repeated.
 */
export type CallbackReading =
  | {
      readonly kind: 'event'
      readonly event: PaymentEvent
      /** For the operator, without signatures. */
      readonly payload: string
      /** The provider reported it just now in response to a query, and is not queried again. */
      readonly isQueryResult?: true
    }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'refused' | 'unavailable'; readonly reason: string }

/** What the provider answers to a query about an order. */
export type OrderQueryResult =
  | { readonly kind: 'event'; readonly event: PaymentEvent; readonly payload: string }
  | { readonly kind: 'pending' | 'unsupported' | 'unreachable' }

/** `uncertain`: the money may have been paid back. */
export type RefundResult =
  | { readonly kind: 'refunded' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unsupported' | 'uncertain' }

/** A refund as it is requested from the provider. */
export interface Refund {
  /** Unique; the same for a repeated attempt. */
  readonly number: string
  readonly minor: number
  /** The response to an earlier attempt was lost: it may have been made. `refused` then means that it was not made then either. */
  readonly isRepeated: boolean
}

/**
 * A payment provider: a folder of `payments`, a line in `providers.ts`. It neither reads nor writes orders; what it reports is compared
 * with the order and settled by `applyEvent`.
 */
export interface PaymentProvider {
  readonly id: string
  /** Returns the account that receives the money; empty while the provider is not configured. */
  merchant(options: OptionValues): string
  /** Returns none while the provider is not configured. */
  methods(options: OptionValues): readonly PaymentMethod[]
  /** A report of a payment counts only once `ask` confirmed it. Otherwise the signature suffices while the provider cannot be queried. */
  readonly mustConfirm: boolean
  /** How long an order can be paid. */
  readonly lifetimeSeconds: number
  /** @throws Error when the payment cannot be started. Called again to go on with an order, and then answers the same payment. */
  begin(order: OrderRow, deps: PaymentDeps): Promise<PaymentStart>
  /** Verifies a callback. Never throws because of anything a sender can do. */
  readCallback(request: CallbackRequest, deps: PaymentDeps): Promise<CallbackReading>
  /** Queries an order. The answer is compared like a callback. */
  queryOrder(order: OrderRow, deps: PaymentDeps): Promise<OrderQueryResult>
  refund(order: OrderRow, refund: Refund, deps: PaymentDeps): Promise<RefundResult>
}

/** Returns the address for reports of providers, without a trailing slash; empty while the site has no address. */
export const callbackAddress = ({ CustomCallbackAddress: custom, ServerAddress: own }: OptionValues): string =>
  custom === '' ? own : custom
