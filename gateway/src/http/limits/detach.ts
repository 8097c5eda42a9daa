/** Frees the memory of a view that has its buffer to itself; the view is empty afterwards. Calling it again does nothing. */
export function detach({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (!buffer.detached && byteLength === buffer.byteLength) buffer.transfer(0)
}
