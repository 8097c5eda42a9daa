import { isObject, type JsonObject } from '../../core/json'
import { geminiVoice } from '../../core/neutral/speech'
import { objectOf } from '../../core/neutral/read'

/** The configuration of a session, in OpenAI's terms. */
type Configuration = JsonObject

/**
 * Returns the first message of a session: Google takes a configuration once, before anything else.
 * https://ai.google.dev/api/live#BidiGenerateContentSetup
 */
export function setupOf(model: string, session: Configuration): JsonObject {
  const { instructions, tools, output_modalities: modalities, max_output_tokens: limit, temperature } = session
  const isSpoken = !Array.isArray(modalities) || modalities.includes('audio')
  const { voice } = objectOf(objectOf(session['audio'])['output'])
  const declared = Array.isArray(tools) ? tools.filter(isObject).flatMap(declaration) : []
  return {
    setup: {
      model: `models/${model}`,
      generationConfig: {
        responseModalities: [isSpoken ? 'AUDIO' : 'TEXT'],
        ...(typeof limit === 'number' && { maxOutputTokens: limit }),
        ...(typeof temperature === 'number' && { temperature }),
        ...(typeof voice === 'string' && {
          speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: geminiVoice(voice) } } },
        }),
      },
      ...(typeof instructions === 'string' &&
        instructions !== '' && { systemInstruction: { parts: [{ text: instructions }] } }),
      ...(declared.length > 0 && { tools: [{ functionDeclarations: declared }] }),
      ...(isSpoken && { outputAudioTranscription: {} }),
      ...(isTranscribed(session) && { inputAudioTranscription: {} }),
      ...(!detectsSpeech(session) && { realtimeInputConfig: { automaticActivityDetection: { disabled: true } } }),
    },
  }
}

const inputOf = (session: Configuration): JsonObject => objectOf(objectOf(session['audio'])['input'])

const isTranscribed = (session: Configuration): boolean => isObject(inputOf(session)['transcription'])

/** Voice detection by the vendor is on unless the client turns it off. */
export const detectsSpeech = (session: Configuration): boolean => inputOf(session)['turn_detection'] !== null

function declaration({ type, name, description, parameters }: JsonObject): JsonObject[] {
  if (type !== 'function' || typeof name !== 'string') return []
  return [{ name, description, parametersJsonSchema: parameters }]
}
