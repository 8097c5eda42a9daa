import { speechDialect } from '../speech-dialect'
import { mistralSpeechCodec } from './codec'

export const mistralSpeech = speechDialect('mistral-speech', mistralSpeechCodec)
