import type { Dialect } from '../../core/dialect'
import { openAiImages, openAiImagesCodec, readNeutralCall, streamOf } from '../openai-images/dialect'
import { imageNames } from '../../core/shared/names'
import { editPrompt, readEditRequest, editFiles, plainFields } from './request'
import { FormFile } from '../../core/form-file'
import type { Source } from '../../core/neutral/call'
import type { ImageCodec } from '../../core/neutral/image'

/** OpenAI's edits and variations, read from forms too and written as JSON. */
const openAiImageEditsCodec: ImageCodec = {
  ...openAiImagesCodec,
  readCall: (body, place) => {
    const { model, choices } = readEditRequest(body, place.model || undefined)
    const call = readNeutralCall(plainFields(body), { model, count: choices })
    const { mask } = body
    return {
      ...call,
      images: [...editFiles(body).map(sourceOf), ...call.images],
      mask: mask instanceof FormFile ? sourceOf(mask) : call.mask,
    }
  },
  writeStream: streamOf('image_edit.completed'),
}

const endings: Readonly<Record<string, string>> = { jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp' }

/** Some clients give no media type. */
const sourceOf = ({ bytes, type, filename }: FormFile): Source => ({
  kind: 'data',
  data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  mime: type.startsWith('image/') ? type : (endings[filename.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'image/png'),
})

/** `POST /v1/images/edits` and `/v1/images/variations`. */
export const openAiImageEdits: Dialect = {
  ...openAiImages,
  id: 'openai-image-edits',
  codec: { kind: 'images', client: openAiImageEditsCodec, upstream: openAiImageEditsCodec },
  names: imageNames,
  readRequest: (body, place) => readEditRequest(body, place.model || undefined),
  readPrompt: editPrompt,
}
