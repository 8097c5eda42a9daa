/** A file in a form, among the members of a body as text fields are. Its bytes are a view of the request's, never a copy. */
export class FormFile {
  // Private, so that a walk over the members of a body does not visit the bytes.
  readonly #bytes: Uint8Array<ArrayBuffer>

  constructor(
    /** The client's name for it; may hold any character. */
    readonly filename: string,
    /** The media type that the client gives; empty when it gives none. */
    readonly type: string,
    bytes: Uint8Array<ArrayBuffer>,
  ) {
    this.#bytes = bytes
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes
  }
}
