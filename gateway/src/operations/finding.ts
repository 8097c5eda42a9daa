import type { PhraseParams, systemRoutes } from '@tollgate/contract'

import { fillPlaceholders, type Language } from '../http/language'
import en from '../platform/locales/findings.en.json'
import zh from '../platform/locales/findings.zh.json'

type Code = keyof typeof en
type Subject = Code extends infer C ? (C extends `subject.${infer Name}` ? Name : never) : never

const texts: Record<Language, Readonly<Record<Code, string>>> = { en, zh }

/** A sentence of the doctor, by its code. */
interface Sentence {
  readonly code: Code
  readonly params: PhraseParams
}

/** What one check of the doctor found, before it is worded. */
export interface Finding {
  readonly level: systemRoutes.Finding['level']
  readonly subject: Subject
  readonly text: Sentence
  /** What to do about it. */
  readonly advice?: Sentence
}

export const sentence = (code: Code, params: PhraseParams = {}): Sentence => ({ code, params })

export const ok = (subject: Subject, text: Sentence): Finding => ({ level: 'ok', subject, text })
export const warn = (subject: Subject, text: Sentence, advice?: Sentence): Finding => ({
  level: 'warn',
  subject,
  text,
  ...(advice && { advice }),
})
export const fail = (subject: Subject, text: Sentence, advice: Sentence): Finding => ({
  level: 'FAIL',
  subject,
  text,
  advice,
})

/** Returns a finding in the reader's language. Reasons from the system or a server are left unchanged. */
export function formatFinding({ level, subject, text, advice }: Finding, language: Language): systemRoutes.Finding {
  const inWords = ({ code, params }: Sentence) => fillPlaceholders(texts[language][code], params, language)
  return {
    level,
    subject: texts[language][`subject.${subject}`],
    text: inWords(text),
    advice: advice ? inWords(advice) : '',
  }
}

const levelWidth = 6
const subjectWidth = 15

export const lineOf = ({ level, subject, text, advice }: systemRoutes.Finding): string =>
  `${level.padEnd(levelWidth)}${subject.padEnd(subjectWidth)}${text}${advice && `. ${advice}`}`
