import type { Dialect } from '../../core/dialect'
import { gemini } from '../../chat/gemini/dialect'
import { openAiRealtime } from '../openai-realtime/dialect'

/** `BidiGenerateContent`: messages over a WebSocket. https://ai.google.dev/api/live */
export const geminiLive: Dialect = { ...openAiRealtime, id: 'gemini-live', headers: [], readError: gemini.readError }
