import { DashScopeSession } from '../realtime/dashscope-realtime'
import { LiveSession } from '../realtime/gemini-live/session'
import type { DialectId } from '../core/mode'
import type { SessionTranslation, TranslatedSession } from '../realtime/openai-realtime/session'

const translations: Partial<Record<DialectId, (session: TranslatedSession) => SessionTranslation>> = {
  'dashscope-realtime': () => new DashScopeSession(),
  'gemini-live': (session) => new LiveSession(session),
}

/** Returns the translation of a session; null where the upstream speaks OpenAI's protocol. */
export const sessionTranslation = (dialect: DialectId, session: TranslatedSession): SessionTranslation | null =>
  translations[dialect]?.(session) ?? null
