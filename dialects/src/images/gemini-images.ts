import { contentsPrompt } from '../chat/gemini/prompt'
import type { Dialect } from '../core/dialect'
import { imageDialect } from '../core/dialect-from-codec'
import { geminiError, readError } from '../chat/gemini/errors'
import { member, memberList, memberObject } from '../core/shared/google-members'
import { isOwnFile } from '../chat/gemini/read/media'
import { readUsage } from '../chat/gemini/usage'
import { writeMedia } from '../chat/gemini/write/media'
import type { JsonObject } from '../core/json'
import { imageData, noImages, unreadable, type UpstreamImageCodec, warnOf } from '../core/neutral/image'
import { aspectRatioOf, commonRatios, isResolution, resolutionOf } from '../core/neutral/image-size'
import { objectsOf, textOf, textOrNull, omitUndefined } from '../core/neutral/read'

const ratios = [...commonRatios, '4:5', '5:4', '21:9']

/** They draw in 1K alone. https://ai.google.dev/gemini-api/docs/image-generation */
const oneSize = /gemini-2\.\d/

/** Gemini's models that write and draw. https://ai.google.dev/gemini-api/docs/image-generation */
const geminiImagesCodec: UpstreamImageCodec = {
  writeCall: (call, warn) => {
    warnOf(call, ['background', 'format', 'compression', 'negativePrompt', 'mask', 'user'], warn)
    if (!isResolution(call.quality)) warnOf(call, ['quality'], warn)
    const resolution = resolutionOf(call)
    const isOneSize = oneSize.test(call.model)
    if (isOneSize && resolution !== null && resolution !== '1K') warn(`pictures in ${resolution}`)
    const images = call.images.flatMap((source) => {
      if (source.kind === 'id' && !isOwnFile(source.id)) throw unreadable('images', source)
      return writeMedia({ kind: 'image', source }, warn) ?? []
    })
    const imageConfig = omitUndefined({
      aspectRatio: aspectRatioOf(call, ratios) ?? undefined,
      imageSize: isOneSize ? undefined : (resolution ?? undefined),
    })
    return {
      contents: [{ role: 'user', parts: [{ text: call.prompt }, ...images] }],
      generationConfig: omitUndefined({
        responseModalities: ['TEXT', 'IMAGE'],
        seed: call.seed ?? undefined,
        imageConfig: Object.keys(imageConfig).length > 0 ? imageConfig : undefined,
      }),
    }
  },

  readAnswer: (answer) => {
    const candidates = objectsOf(answer['candidates'])
    const parts = candidates.flatMap((candidate) => memberList(memberObject(candidate, 'content'), 'parts'))
    // A thinking model shows drafts of the image as thoughts.
    const shown = parts.filter(({ thought }) => thought !== true)
    const images = shown.flatMap((part) => {
      const blob = memberObject(part, 'inlineData')
      const data = textOf(blob['data'])
      return data === '' ? [] : [imageData(data, textOf(member(blob, 'mimeType')) || undefined)]
    })
    return {
      ...noImages,
      images,
      usage: readUsage(answer),
      refusal: images.length > 0 ? null : refusalIn(answer, shown),
    }
  },
}

/** The model's own words come first, then the reason that the vendor gives. */
function refusalIn(answer: JsonObject, parts: readonly JsonObject[]): string | null {
  const modelText = parts.map(({ text }) => textOf(text)).join('')
  const feedback = memberObject(answer, 'promptFeedback')
  const reasons = objectsOf(answer['candidates']).map((candidate) => textOf(member(candidate, 'finishReason')))
  return textOrNull(modelText) ?? textOrNull(member(feedback, 'blockReason')) ?? textOrNull(reasons.join(', '))
}

/** `:generateContent` of models that draw, as the upstream of calls for images. */
export const geminiImages: Dialect = {
  ...imageDialect('gemini-images', geminiImagesCodec, contentsPrompt),
  withModel: (body) => body,
  errorBody: geminiError,
  readError,
}
