import { isObject, type JsonObject } from '../../core/json'

const sumOf = (details: unknown, modality: string): number => {
  if (!Array.isArray(details)) return 0
  return details
    .filter(isObject)
    .filter((entry) => entry['modality'] === modality)
    .reduce((sum, { tokenCount }) => sum + numberOf(tokenCount), 0)
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Returns what a turn used as OpenAI reports it. https://ai.google.dev/api/live#UsageMetadata */
export function presentUsage(reported: JsonObject): JsonObject {
  const input = numberOf(reported['promptTokenCount']) + numberOf(reported['toolUsePromptTokenCount'])
  const thoughts = numberOf(reported['thoughtsTokenCount'])
  const output = numberOf(reported['responseTokenCount'] ?? reported['candidatesTokenCount']) + thoughts
  const { promptTokensDetails: prompt, cacheTokensDetails: cache } = reported
  const response = reported['responseTokensDetails'] ?? reported['candidatesTokensDetails']
  const [audioIn, imageIn] = [sumOf(prompt, 'AUDIO'), sumOf(prompt, 'IMAGE') + sumOf(prompt, 'VIDEO')]
  const audioOut = sumOf(response, 'AUDIO')
  return {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_token_details: {
      text_tokens: Math.max(input - audioIn - imageIn, 0),
      audio_tokens: audioIn,
      image_tokens: imageIn,
      cached_tokens: numberOf(reported['cachedContentTokenCount']),
      cached_tokens_details: { audio_tokens: sumOf(cache, 'AUDIO'), image_tokens: sumOf(cache, 'IMAGE') },
    },
    output_token_details: {
      text_tokens: Math.max(output - audioOut, 0),
      audio_tokens: audioOut,
      reasoning_tokens: thoughts,
    },
  }
}
