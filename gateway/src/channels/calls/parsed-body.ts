import type { JsonObject } from '@tollgate/dialects'

/** The JSON body of a call, as text and parsed. */
export interface ParsedBody {
  /** As the client sent it. */
  readonly text: string
  readonly json: JsonObject
  /** A name stands twice in an object: readers differ in which one they take, so the text must be written anew. */
  readonly repeatsNames: boolean
  /** Where the colon after the outermost `"model"` stands in the text; -1 when there is none written like that. */
  readonly modelColon: number
}

/** Returns the body without a member that is meant for the gateway alone. */
export function withoutMember(body: ParsedBody, name: string): ParsedBody {
  if (!(name in body.json)) return body
  const { [name]: _, ...json } = body.json
  return bodyOf(json)
}

/** Returns a body of the gateway's own. */
export const bodyOf = (json: JsonObject): ParsedBody => ({
  text: JSON.stringify(json),
  json,
  repeatsNames: false,
  modelColon: -1,
})
