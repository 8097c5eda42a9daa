import type { systemRoutes } from '@tollgate/contract'

/** What one check of the doctor found. */
export type Finding = Readonly<systemRoutes.Finding>

export const ok = (subject: string, text: string): Finding => ({ level: 'ok', subject, text, advice: '' })
export const warn = (subject: string, text: string, advice: string): Finding => ({
  level: 'warn',
  subject,
  text,
  advice,
})
export const fail = (subject: string, text: string, advice: string): Finding => ({
  level: 'FAIL',
  subject,
  text,
  advice,
})

const levelWidth = 6
const subjectWidth = 15

export const lineOf = ({ level, subject, text, advice }: Finding): string =>
  `${level.padEnd(levelWidth)}${subject.padEnd(subjectWidth)}${text}${advice && `. ${advice}`}`
