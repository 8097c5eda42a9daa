/** A file in a form, among the members of a body as text fields are. Its bytes are a view of the request's, never a copy. */
export class FormFile {
  // Private: what walks over the members of a body must not walk over the bytes.
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
