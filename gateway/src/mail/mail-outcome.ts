/** How an attempt to send a mail ended. */
export const mailOutcomes = ['sent', 'later', 'given-up'] as const
export type MailOutcome = (typeof mailOutcomes)[number]
