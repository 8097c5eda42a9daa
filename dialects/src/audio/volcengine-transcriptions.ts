import { transcriptionDialect } from './transcription-dialect'
import { recordingData, type UpstreamTranscriptionCodec } from '../core/neutral/transcription'
import { objectOf, omitUndefined } from '../core/neutral/read'
import { usageOfSeconds } from '../core/shared/usage'

/** The languages that have to be named; others, as Chinese, are recognised. https://www.volcengine.com/docs/6561/1354868 */
const languages: Readonly<Record<string, string>> = {
  en: 'en-US',
  ja: 'ja-JP',
  id: 'id-ID',
  es: 'es-MX',
  pt: 'pt-BR',
  de: 'de-DE',
  fr: 'fr-FR',
  ko: 'ko-KR',
  ms: 'ms-MY',
  th: 'th-TH',
  ar: 'ar-SA',
}

/** A recording in one request, recognised in its response. https://www.volcengine.com/docs/6561/1631584 */
const volcEngineTranscriptionsCodec: UpstreamTranscriptionCodec = {
  writeCall: ({ recording, language, prompt, temperature }, warn) => {
    if (prompt !== null) warn('the prompt')
    if (temperature !== null) warn('the temperature')
    const [spoken = ''] = (language ?? '').toLowerCase().split(/[-_]/)
    return {
      user: { uid: 'tollgate' },
      audio: omitUndefined({
        data: recordingData(recording),
        language: Object.hasOwn(languages, spoken) ? languages[spoken] : undefined,
      }),
      request: { model_name: 'bigmodel', enable_itn: true, enable_punc: true },
    }
  },

  /** Sold by the length of the recording, which comes in milliseconds. */
  readAnswer: (answer) => {
    const { text } = objectOf(answer['result'])
    const { duration } = objectOf(answer['audio_info'])
    return typeof text === 'string'
      ? { text, usage: usageOfSeconds(typeof duration === 'number' ? duration / 1000 : null) }
      : null
  },
}

/** `POST /api/v3/auc/bigmodel/recognize/flash` of Doubao's speech; only upstreams speak it. */
export const volcEngineTranscriptions = transcriptionDialect('volcengine-transcriptions', volcEngineTranscriptionsCodec)
