import { FormFile, type JsonObject } from '@tollgate/dialects'

/** Duration of the recording in a form. */
export interface RecordingLength {
  readonly seconds: number
  /** Otherwise `seconds` is an upper bound. */
  readonly isMeasured: boolean
}

/** What a call holds in memory until it is given back; giving it back again does nothing. */
interface CallMemory extends Disposable {
  /** Counts bytes of an answer that is held back. */
  hold(bytes: number): void
}

/** The body of a call. A form is read as the object of its fields, in which its files are `FormFile`s. */
export interface ParsedBody {
  /** As the client sent it; empty for a form. */
  readonly text: string
  readonly json: JsonObject
  /** A name occurs twice in an object: parsers differ in which one they take, so the text must be serialized anew. */
  readonly repeatsNames: boolean
  /** Index of the colon after the outermost `"model"` in the text; -1 when there is none in that form. */
  readonly modelColon: number
  readonly recording?: RecordingLength
  /** The memory of the call, with the bytes of a form: its files are empty when that is given back. Absent: it is not counted. */
  readonly room?: CallMemory
}

/** Returns the body without a member that is meant for the gateway only. */
export function withoutMember(body: ParsedBody, name: string): ParsedBody {
  if (!(name in body.json)) return body
  const { [name]: _, ...json } = body.json
  // A form is written anew for each attempt, and its files stay where they are.
  return body.text === '' ? { ...body, json } : { ...body, ...bodyOf(json) }
}

/** Returns a body that the gateway itself wrote. */
export const bodyOf = (json: JsonObject): ParsedBody => ({
  text: JSON.stringify(json),
  json,
  repeatsNames: false,
  modelColon: -1,
})

/** Returns a form that the gateway itself wrote. */
export const formOf = (json: JsonObject): ParsedBody => ({ text: '', json, repeatsNames: false, modelColon: -1 })

/** Returns about how much memory a body takes. */
export const bytesOf = ({ text, json }: ParsedBody): number =>
  text === ''
    ? Object.values(json)
        .flat()
        .reduce((sum: number, value) => sum + (value instanceof FormFile ? value.bytes.byteLength : 0), 0)
    : text.length
