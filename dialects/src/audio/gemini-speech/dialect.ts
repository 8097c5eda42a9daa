import type { Dialect } from '../../core/dialect'
import { readError } from '../../chat/gemini/errors'
import { speechDialect } from '../speech-dialect'
import { geminiSpeechCodec } from './codec'

export const geminiSpeech: Dialect = { ...speechDialect('gemini-speech', geminiSpeechCodec), readError }
