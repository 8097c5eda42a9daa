import { speechDialect } from '../speech-dialect'
import { miniMaxSpeechCodec } from './codec'

export const miniMaxSpeech = speechDialect('minimax-speech', miniMaxSpeechCodec)
