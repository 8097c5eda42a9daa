import { operatorEventKinds, windowRoutes } from '@tollgate/contract'
import { z } from 'zod'

import { identityProviders } from '../../accounts/identities/identities'
import { EventFacts } from '../../platform/telemetry/events/report-event'

const minute = 60
const day = 24 * 60 * minute

/** What a mail says, without what must not be stored: codes and links are created when it is sent. */
interface MailKind {
  readonly params: z.ZodType
  /** How long delivery is attempted; after that the mail is useless. */
  readonly seconds: number
}

const SignIn = z.object({
  username: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  /** Unix seconds. */
  at: z.number().int(),
})

/** An external account that the owner signs in with. */
const Linked = SignIn.extend({ provider: z.enum(identityProviders) })

/** An action of an administrator: the origin of the request is not the owner's business. */
const NameAndTime = SignIn.pick({ username: true, at: true })

/** What was paid, as the payer sees it: with its currency. */
const Payment = z.object({ order: z.string(), amount: z.string(), quota: z.number() })

/** The end of a subscription; `at` in Unix seconds. */
const PlanEnd = z.object({ username: z.string(), plan: z.string(), at: z.number().int() })

/** A threshold of a limit was passed; `resetsAt` in Unix seconds. */
const NearLimit = z.object({
  username: z.string(),
  name: z.string(),
  percent: z.number(),
  used: z.number(),
  limit: z.number(),
  measure: z.enum(windowRoutes.windowMeasures),
  resetsAt: z.number().int().nullable(),
})

/** An event, or the test of where events go. */
const OperatorEvent = z.object({
  event: z.enum([...operatorEventKinds, 'test']),
  facts: EventFacts,
  /** Unix seconds of the latest occurrence and, where it occurred several times, of the first. */
  at: z.number().int(),
  since: z.number().int(),
  count: z.number().int(),
  /** The same happened to these: some of their names, and how many they are. */
  others: z.object({ names: z.array(z.string()), count: z.number().int() }),
})

/** Every kind of mail. Its texts have the same name in `locales/mails.{zh,en}.json`. */
export const mailKinds = {
  /** A code for a mail address at registration. */
  'register-code': { params: z.object({ browser: z.string() }), seconds: 15 * minute },
  /** A code for a mail address to be added to an account. */
  'bind-code': { params: z.object({ browser: z.string(), userId: z.number().int() }), seconds: 15 * minute },
  /** A link to set a new password. */
  'reset-password': { params: z.object({}), seconds: 15 * minute },
  'password-changed': { params: SignIn, seconds: day },
  /** To the address that the account had before. */
  'mail-changed': { params: SignIn, seconds: day },
  'new-device': { params: SignIn, seconds: day },
  /** An authenticator app or a passkey. */
  'factor-added': { params: SignIn, seconds: day },
  'factor-removed': { params: SignIn, seconds: day },
  'recovery-codes-renewed': { params: SignIn, seconds: day },
  'identity-linked': { params: Linked, seconds: day },
  'identity-unlinked': { params: Linked, seconds: day },
  /** The balance fell below the owner's warning threshold; both in quota. */
  'low-balance': {
    params: z.object({ username: z.string(), balance: z.number(), threshold: z.number() }),
    seconds: day,
  },
  'limit-near': { params: NearLimit, seconds: day },
  /** A subscription ended at its time; the second one was to go on. */
  'plan-ended': { params: PlanEnd, seconds: day },
  'plan-not-renewed': { params: PlanEnd, seconds: day },
  /** To an owner who has changed the mail address since. */
  'address-changed': { params: SignIn, seconds: day },
  'payment-received': { params: Payment, seconds: day },
  'payment-refunded': { params: Payment, seconds: day },
  'payment-disputed': { params: Payment, seconds: day },
  'payment-restored': { params: Payment, seconds: day },
  /** A copy of a message from the operator. */
  message: { params: z.object({ messageId: z.number().int(), username: z.string() }), seconds: 3 * day },
  /** Requested by a user who sets up where notices go. */
  'notice-test': { params: z.object({ username: z.string() }), seconds: 15 * minute },
  /** To operators, of something that happened. */
  'operator-event': { params: OperatorEvent, seconds: day },
  'password-changed-by-admin': { params: NameAndTime, seconds: day },
  'factors-removed-by-admin': { params: NameAndTime, seconds: day },
} as const satisfies Record<string, MailKind>

export type MailKindName = keyof typeof mailKinds

export type MailParams<Kind extends MailKindName> = z.output<(typeof mailKinds)[Kind]['params']>

export const isMailKind = (name: string): name is MailKindName => Object.hasOwn(mailKinds, name)
