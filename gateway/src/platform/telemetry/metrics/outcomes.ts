/** Why a call got no slot: the queue was `full`, its wait timed out (`late`), or its client is `gone`. */
export const slotRefusals = ['full', 'late', 'gone'] as const
export type SlotRefusal = (typeof slotRefusals)[number]

/** How an attempt to send a mail ended. */
export const mailOutcomes = ['sent', 'later', 'given-up'] as const
export type MailOutcome = (typeof mailOutcomes)[number]
