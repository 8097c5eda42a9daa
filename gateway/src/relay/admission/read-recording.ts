import { FormFile } from '@tollgate/dialects'

import type { RecordingLength } from '../../channels/calls/parsed-body'
import { measuredSeconds } from '../../billing/metering/media/measure-recording'
import { fewestBytesPerSecond } from '../../billing/metering/media/recording-length'
import { WorkQueue } from '../../platform/time/work-queue'
import { readFormBody, type BodyReader } from './read-body'

/** Measuring a file may take two seconds of processor time, in small turns: a user's files are measured one after the other. */
export const recordingQueue = new WorkQueue({ running: 2, perKey: 1, waiting: 256 })

/** As `readFormBody`, for a form whose `file` is a recording. Measures its duration. @throws AppError `gateway.busy` when too many wait. */
export const readRecording: BodyReader = async (request, dialect, deps, room) => {
  const body = await readFormBody(request, dialect, deps, room)
  const { file } = body.json
  if (!(file instanceof FormFile)) return body
  return { ...body, recording: await recordingQueue.run(() => lengthOf(file), room.userId) }
}

async function lengthOf({ bytes }: FormFile): Promise<RecordingLength> {
  const seconds = await measuredSeconds({ bytes, size: bytes.byteLength })
  return seconds === null
    ? { seconds: bytes.byteLength / fewestBytesPerSecond, isMeasured: false }
    : { seconds, isMeasured: true }
}
