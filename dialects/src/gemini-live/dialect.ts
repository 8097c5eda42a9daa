import type { Dialect } from '../dialect'
import { gemini } from '../gemini/dialect'
import { openAiRealtime } from '../openai-realtime/dialect'

/** `BidiGenerateContent`: messages over a WebSocket. https://ai.google.dev/api/live */
export const geminiLive: Dialect = { ...openAiRealtime, id: 'gemini-live', headers: [], readError: gemini.readError }
