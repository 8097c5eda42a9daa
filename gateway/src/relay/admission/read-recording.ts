import { FormFile } from '@tollgate/dialects'

import type { RecordingLength } from '../../channels/calls/parsed-body'
import { measuredSeconds } from '../../metering/media/measure-recording'
import { fewestBytesPerSecond } from '../../metering/media/recording-length'
import { readFormBody, type BodyReader } from './read-body'

/** As `readFormBody`, for a form whose `file` is a recording. Measures its duration. */
export const readRecording: BodyReader = async (request, dialect, deps, room) => {
  const body = await readFormBody(request, dialect, deps, room)
  const { file } = body.json
  return file instanceof FormFile ? { ...body, recording: await lengthOf(file) } : body
}

async function lengthOf({ bytes }: FormFile): Promise<RecordingLength> {
  const seconds = await measuredSeconds({ bytes, size: bytes.byteLength })
  return seconds === null
    ? { seconds: bytes.byteLength / fewestBytesPerSecond, isMeasured: false }
    : { seconds, isMeasured: true }
}
