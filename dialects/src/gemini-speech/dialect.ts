import type { Dialect } from '../dialect'
import { readError } from '../gemini/errors'
import { speechDialect } from '../shared/speech-dialect'
import { geminiSpeechCodec } from './codec'

export const geminiSpeech: Dialect = { ...speechDialect('gemini-speech', geminiSpeechCodec), readError }
