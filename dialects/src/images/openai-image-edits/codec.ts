import { FormFile } from '../../core/form-file'
import type { Source } from '../../core/neutral/call'
import type { ImageCodec } from '../../core/neutral/image'
import { openAiImagesCodec, readNeutralCall, streamOf } from '../openai-images/codec'
import { editFiles, plainFields, readEditRequest } from './request'

/** OpenAI's edits and variations, read from forms too and written as JSON. */
export const openAiImageEditsCodec: ImageCodec = {
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
